// A client of a stream server, with gorilla/websocket: it uses a server as the published client does, and says what it saw.
//
// It dials ws://HOST:PORT/ws and offers no sub-protocol, sends an id of 36 characters as a text message every period, and takes every
// message that is none of its ids for one of the stream. The library fails on frames that break the protocol.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// What is printed, as JSON. A close code of 0: it left without a close.
type report struct {
	SubProtocol string      `json:"subProtocol"`
	Replies     int         `json:"replies"`
	Repeated    int         `json:"repeated"`
	InOrder     bool        `json:"inOrder"`
	NotText     int         `json:"notText"`
	Dummies     map[int]int `json:"dummies"` // How many came of each length.
	CloseCode   int         `json:"closeCode"`
}

type client struct {
	conn     *websocket.Conn
	mutex    sync.Mutex
	sent     map[string]int // The place of each id, from 1; negative: its reply has come.
	latest   int
	seen     report
	streamed int

	done   chan struct{} // Closed when every request has its reply and enough of the stream has come.
	ponged chan string
	closed chan int
}

func main() {
	address := flag.String("address", "127.0.0.1:8080", "host and port of the server")
	path := flag.String("path", "/ws", "path and query")
	every := flag.Duration("every", 10*time.Millisecond, "time from one request to the next")
	requests := flag.Int("requests", 1000, "how many are sent")
	dummies := flag.Int("dummies", 0, "it also waits for so many messages of the stream")
	abandon := flag.Bool("abandon", false, "end the process without a close, as the published client does")
	within := flag.Duration("within", time.Minute, "it fails if this is not enough")
	flag.Parse()
	time.AfterFunc(*within, func() { log.Fatal("not done within ", *within) })

	conn, _, err := websocket.DefaultDialer.Dial("ws://"+*address+*path, nil)
	if err != nil {
		log.Fatal("dial: ", err)
	}
	c := &client{
		conn:   conn,
		sent:   make(map[string]int),
		seen:   report{SubProtocol: conn.Subprotocol(), InOrder: true, Dummies: make(map[int]int)},
		done:   make(chan struct{}),
		ponged: make(chan string, 1),
		closed: make(chan int, 1),
	}
	conn.SetPongHandler(func(text string) error { c.ponged <- text; return nil })
	go c.read(*requests, *dummies)
	c.send(*requests, *every)
	<-c.done
	if !*abandon {
		c.leave()
	}

	c.mutex.Lock()
	if err := json.NewEncoder(os.Stdout).Encode(c.seen); err != nil {
		log.Fatal("print: ", err)
	}
	os.Exit(0)
}

func (c *client) send(requests int, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for i := 1; i <= requests; i++ {
		<-ticker.C
		id := fmt.Sprintf("request-%028d", i)
		c.mutex.Lock()
		c.sent[id] = i
		c.mutex.Unlock()
		if err := c.conn.WriteMessage(websocket.TextMessage, []byte(id)); err != nil {
			log.Fatal("send: ", err)
		}
	}
}

// A ping that must be answered with its text, and the closing handshake.
func (c *client) leave() {
	const text = "still there?"
	soon := time.Now().Add(10 * time.Second)
	if err := c.conn.WriteControl(websocket.PingMessage, []byte(text), soon); err != nil {
		log.Fatal("ping: ", err)
	}
	if pong := <-c.ponged; pong != text {
		log.Fatalf("the pong to %q has %q", text, pong)
	}
	end := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	if err := c.conn.WriteControl(websocket.CloseMessage, end, soon); err != nil {
		log.Fatal("close: ", err)
	}
	code := <-c.closed
	c.mutex.Lock()
	c.seen.CloseCode = code
	c.mutex.Unlock()
}

func (c *client) read(requests, dummies int) {
	for done := false; ; {
		kind, message, err := c.conn.ReadMessage()
		var end *websocket.CloseError
		if errors.As(err, &end) {
			c.closed <- end.Code
			return
		}
		if err != nil {
			log.Fatal("read: ", err)
		}
		replied, streamed := c.take(kind, message)
		if !done && replied == requests && streamed >= dummies {
			done = true
			close(c.done)
		}
	}
}

// How many requests are answered so far, and how many messages of the stream have come.
func (c *client) take(kind int, message []byte) (int, int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if kind != websocket.TextMessage {
		c.seen.NotText++
	}
	place := c.sent[string(message)]
	switch {
	case place == 0:
		c.seen.Dummies[len(message)]++
		c.streamed++
	case place < 0:
		c.seen.Repeated++
	default:
		c.sent[string(message)] = -place
		c.seen.InOrder = c.seen.InOrder && place > c.latest
		c.latest = place
		c.seen.Replies++
	}
	return c.seen.Replies, c.streamed
}
