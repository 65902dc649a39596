// Command log-check reads a public log with the code of Go's checksum database, which is not ours: the signature of the checkpoint, the
// inclusion of up to 100 entries, and that an older checkpoint is the beginning of the newest one. `npm run test:real`
// runs it (docs/spec/proof.md 7).
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8
const width = 1 << height

type reader struct{ address string }

func (r reader) get(path string) []byte {
	answer, err := http.Get(r.address + "/" + path)
	must(err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", path, answer.Status)
	}
	body, err := io.ReadAll(answer.Body)
	must(err)
	return body
}

// Height, ReadTiles and SaveTiles make it a tlog.TileReader. Its tiles are at tile/8/L/N, those of tlog-tiles at tile/L/N.
func (r reader) Height() int { return height }

func (r reader) ReadTiles(tiles []tlog.Tile) (all [][]byte, err error) {
	for _, tile := range tiles {
		all = append(all, r.get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
	}
	return all, nil
}

func (r reader) SaveTiles([]tlog.Tile, [][]byte) {}

// entry returns an entry of its bundle.
func (r reader) entry(size, index int64) []byte {
	tile := tlog.Tile{H: height, L: -1, N: index / width, W: int(min(width, size-index/width*width))}
	bundle := r.get(strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1))
	for range index % width {
		bundle = bundle[2+binary.BigEndian.Uint16(bundle):]
	}
	return bundle[2 : 2+binary.BigEndian.Uint16(bundle)]
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// open returns the tree of a checkpoint that the log has signed.
func open(checkpoint []byte, verifier note.Verifier) (tree tlog.Tree) {
	opened, err := note.Open(checkpoint, note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		log.Fatalf("the checkpoint is of %s", lines[0])
	}
	_, err = fmt.Sscan(lines[1], &tree.N)
	must(err)
	tree.Hash, err = tlog.ParseHash(lines[2])
	must(err)
	return tree
}

func main() {
	address := flag.String("log", "http://127.0.0.1:8080/log", "address of the log")
	vkey := flag.String("vkey", "", "key of the log")
	old := flag.String("old", "", "file of an older checkpoint")
	flag.Parse()
	verifier, err := note.NewVerifier(*vkey)
	must(err)
	from := reader{*address}
	tree := open(from.get("checkpoint"), verifier)
	hashes := tlog.TileHashReader(tree, from)
	step := max(1, (tree.N+99)/100)
	for index := int64(0); index < tree.N; index += step {
		proof, err := tlog.ProveRecord(tree.N, index, hashes)
		must(err)
		must(tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(from.entry(tree.N, index))))
	}
	fmt.Printf("%d entries, every %dth is in the tree\n", tree.N, step)
	if *old == "" {
		return
	}
	note, err := os.ReadFile(*old)
	must(err)
	former := open(note, verifier)
	proof, err := tlog.ProveTree(tree.N, former.N, hashes)
	must(err)
	must(tlog.CheckTree(proof, tree.N, tree.Hash, former.N, former.Hash))
	fmt.Printf("the log of %d entries is its beginning\n", former.N)
}
