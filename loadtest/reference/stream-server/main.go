// A stream server in Go with gorilla/websocket: the reference of the experiment stream-interference.
//
// It does what the stream server of the load runner does, with the same path, settings and query: it streams messages to every client,
// and sends back each text message. README.md says how it is built and run.
package main

import (
	"bytes"
	"errors"
	"flag"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// What a client is sent beside the replies. A period of 0: nothing.
type settings struct {
	bytes  int
	period time.Duration
}

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

func main() {
	address := flag.String("address", "127.0.0.1:8080", "where it listens")
	size := flag.Int("dummy-bytes", 1<<20, "payload of each message of the stream")
	period := flag.Duration("dummy-period", 500*time.Microsecond, "time from one message of the stream to the next; 0: no stream")
	flag.Parse()
	defaults := settings{*size, *period}

	http.HandleFunc("/health/ready", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		chosen, err := defaults.with(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if conn, err := upgrader.Upgrade(w, r, nil); err == nil {
			serve(conn, chosen)
		}
	})
	log.Fatal(http.ListenAndServe(*address, nil))
}

// The settings with what a client asks for in its query.
func (s settings) with(query url.Values) (settings, error) {
	for key, set := range map[string]func(int){
		"dummyBytes":    func(n int) { s.bytes = n },
		"dummyPeriodUs": func(n int) { s.period = time.Duration(n) * time.Microsecond },
	} {
		if !query.Has(key) {
			continue
		}
		n, err := strconv.Atoi(query.Get(key))
		if err != nil || n < 0 {
			return s, errors.New(key + " is no whole number")
		}
		set(n)
	}
	return s, nil
}

// Serves one client until it leaves. A connection of gorilla/websocket has one writer at a time: replies and stream take turns.
func serve(conn *websocket.Conn, s settings) {
	var writing sync.Mutex
	left := make(chan struct{})
	defer conn.Close()
	defer close(left)
	if s.period > 0 {
		go stream(conn, &writing, s, left)
	}
	for {
		kind, message, err := conn.ReadMessage()
		if err != nil {
			return
		}
		writing.Lock()
		err = conn.WriteMessage(kind, message)
		writing.Unlock()
		if err != nil {
			return
		}
	}
}

// A message is due each period, however long the last one took.
func stream(conn *websocket.Conn, writing *sync.Mutex, s settings, left <-chan struct{}) {
	message := bytes.Repeat([]byte{'.'}, s.bytes)
	for due := time.Now().Add(s.period); ; due = due.Add(s.period) {
		time.Sleep(time.Until(due))
		select {
		case <-left:
			return
		default:
		}
		writing.Lock()
		err := conn.WriteMessage(websocket.TextMessage, message)
		writing.Unlock()
		if err != nil {
			return
		}
	}
}
