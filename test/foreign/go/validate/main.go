// Command validate stands between clients and the gateway, and compares what they exchange with the OpenAPI document of segment 2.5 by
// libopenapi-validator: each answer, and each request that was not refused. It prints its address. At SIGTERM it prints how much it has compared, and
// what differs, once for each operation and reason, and ends with 1 if anything does.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/dlclark/regexp2"
	"github.com/pb33f/jsonschema/v6"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/errors"
)

const segment = "/api/2.5"

var ids = regexp.MustCompile(`[0-9a-f]{32}`)

type bodyKey struct{}

// pattern is a regular expression as JSON Schema has them, those of JavaScript. Go's own have no \u0000 and repeat at most 1,000 times.
type pattern struct{ *regexp2.Regexp }

func (p pattern) MatchString(text string) bool {
	matches, err := p.Regexp.MatchString(text)
	return err == nil && matches
}

func compilePattern(text string) (jsonschema.Regexp, error) {
	compiled, err := regexp2.Compile(text, regexp2.None)
	return pattern{compiled}, err
}

// comparison counts what was compared. The validator is used by one exchange at a time.
type comparison struct {
	mutex       sync.Mutex
	validator   validator.Validator
	answers     int
	requests    int
	differences map[string]string
}

func (c *comparison) compare(answer *http.Response, answered []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	asked := answer.Request.Clone(context.Background())
	body, _ := answer.Request.Context().Value(bodyKey{}).([]byte)
	// A file that is sent as it is may have any type, which the document does not list.
	isFile := len(body) > 0 && !strings.HasPrefix(asked.Header.Get("Content-Type"), "application/json") &&
		!strings.HasPrefix(asked.Header.Get("Content-Type"), "multipart/")
	if answer.StatusCode < 400 && !isFile {
		c.requests++
		asked.Body = io.NopCloser(bytes.NewReader(body))
		_, found := c.validator.ValidateHttpRequest(asked)
		c.note("request", answer, found)
	}
	c.answers++
	asked.Body = io.NopCloser(bytes.NewReader(body))
	copied := *answer
	copied.Body = io.NopCloser(bytes.NewReader(answered))
	_, found := c.validator.ValidateHttpResponse(asked, &copied)
	c.note("answer", answer, found)
}

func (c *comparison) note(what string, answer *http.Response, found []*errors.ValidationError) {
	for _, one := range found {
		// The document has no addresses and methods that do not exist.
		if (answer.StatusCode == http.StatusNotFound || answer.StatusCode == http.StatusMethodNotAllowed) &&
			(one.IsPathMissingError() || one.IsOperationMissingError()) {
			continue
		}
		reasons := []string{one.Reason}
		for _, schema := range one.SchemaValidationErrors {
			reasons = append(reasons, schema.FieldPath+" "+schema.Reason)
		}
		where := fmt.Sprintf("%s of %s %s", what, answer.Request.Method, one.SpecPath)
		key := fmt.Sprintf("%s: %s: %s", where, one.Message, strings.Join(reasons, "; "))
		c.differences[ids.ReplaceAllString(key, "{id}")] = fmt.Sprintf("%d %s", answer.StatusCode, answer.Request.URL)
	}
}

func main() {
	upstream, err := url.Parse(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	compared := &comparison{validator: readDocument(upstream), differences: map[string]string{}}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) {
			request.SetURL(upstream)
			request.Out.Host = request.In.Host
			// Answers come as they are, not compressed.
			request.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: func(answer *http.Response) error {
			// Files are registered and named by the address of the gateway.
			if !strings.HasPrefix(answer.Request.URL.Path, "/api/") {
				return nil
			}
			// The gateway writes its own address into links, and stories expect the one that they asked.
			if location := answer.Header.Get("Location"); location != "" {
				answer.Header.Set("Location", strings.Replace(location, upstream.String(), own(answer), 1))
			}
			if !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
				return nil
			}
			answered, err := io.ReadAll(answer.Body)
			if err != nil {
				return err
			}
			// The document has a package of OCDS where it is read by itself only.
			if !answer.Request.URL.Query().Has("opt_schema") && strings.HasPrefix(answer.Request.URL.Path, segment+"/") {
				compared.compare(answer, answered)
			}
			replaceBody(answer, bytes.ReplaceAll(answered, []byte(upstream.String()), []byte(own(answer))))
			return nil
		},
	}
	handle := func(answer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(answer, request.WithContext(context.WithValue(request.Context(), bodyKey{}, body)))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(handle))
	fmt.Printf("http://%s\n", listener.Addr())
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended
	compared.mutex.Lock()
	for _, difference := range slices.Sorted(maps.Keys(compared.differences)) {
		fmt.Printf("%s\n    (%s)\n", difference, compared.differences[difference])
	}
	fmt.Printf("%d requests and %d answers compared, %d differences\n", compared.requests, compared.answers, len(compared.differences))
	if compared.answers == 0 || len(compared.differences) > 0 {
		os.Exit(1)
	}
}

// own is the address that the client of an answer has asked.
func own(answer *http.Response) string {
	return "http://" + answer.Request.Host
}

func replaceBody(answer *http.Response, body []byte) {
	answer.Body = io.NopCloser(bytes.NewReader(body))
	answer.ContentLength = int64(len(body))
	answer.Header.Set("Content-Length", strconv.Itoa(len(body)))
}

func readDocument(upstream *url.URL) validator.Validator {
	answer, err := http.Get(upstream.JoinPath(segment, "openapi.json").String())
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		log.Fatal(err)
	}
	made, found := validator.NewValidator(document, config.WithRegexEngine(compilePattern))
	if len(found) > 0 {
		log.Fatal(found)
	}
	return made
}
