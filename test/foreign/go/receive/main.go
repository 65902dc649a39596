// Command receive receives webhooks with the Go library of Standard Webhooks. It prints its port and reads the secret of its webhook from
// standard input. It ends after the first change: with 0 when its signature holds, and holds for no other body.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type message struct {
	Type string `json:"type"`
	Data struct {
		Challenge string `json:"challenge"`
	} `json:"data"`
}

func main() {
	var webhook atomic.Pointer[standardwebhooks.Webhook]
	held := make(chan bool)
	handle := func(answer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var received message
		if err != nil || json.Unmarshal(body, &received) != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		if received.Type == "webhook.verify" {
			json.NewEncoder(answer).Encode(map[string]string{"challenge": received.Data.Challenge})
			return
		}
		known := webhook.Load()
		if known == nil {
			answer.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		isHeld := known.Verify(body, request.Header) == nil && known.Verify(append(body, ' '), request.Header) != nil
		fmt.Println(received.Type, "is signed:", isHeld)
		answer.WriteHeader(http.StatusNoContent)
		held <- isHeld
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(handle), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	secret, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	known, err := standardwebhooks.NewWebhook(strings.TrimSpace(secret))
	if err != nil {
		log.Fatal(err)
	}
	webhook.Store(known)
	if !<-held {
		os.Exit(1)
	}
}
