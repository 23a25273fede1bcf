// A worker that asks for jobs. `go run pull.go http://127.0.0.1:7717 NAME`. As with junbanctl, JUNBAN_TOKEN is the token, or JUNBAN_TOKEN_FILE the
// file with it. Go itself reads SSL_CERT_FILE, the file with the certificates to believe.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

type job struct {
	ID       string         `json:"id"`
	Lease    string         `json:"lease"`
	Name     string         `json:"name"`
	Argument map[string]any `json:"argument"`
}

var (
	url, name = os.Args[1], os.Args[2]
	client    = http.Client{Timeout: 30 * time.Second}
	token     = os.Getenv("JUNBAN_TOKEN")
	stopping  atomic.Bool
)

func run(given job) (any, error) { // the work itself
	pages, known := given.Argument["pages"].(float64)
	if !known {
		return nil, errors.New("no pages")
	}
	return map[string]any{"pages": pages * 2}, nil
}

func outcome(given job) map[string]any {
	result, fault := run(given)
	answer := map[string]any{"id": given.ID, "lease": given.Lease, "finished_at": time.Now().UTC().Format(time.RFC3339Nano)}
	if fault == nil {
		answer["type"], answer["result"] = "success", result
	} else {
		answer["type"], answer["reason"], answer["should_retry"], answer["message"] = "failure", "other", false, fault.Error()
	}
	return answer
}

// Reports, and takes the next job in the same trip. The same again is safe, so it is repeated until it is answered.
func report(outcomes []map[string]any) []job {
	body := map[string]any{"worker": fmt.Sprintf("pull.go-%d", os.Getpid()), "outcomes": outcomes}
	if !stopping.Load() {
		body["claim"] = map[string]any{"names": []string{name}, "wait": 5}
	}
	text, _ := json.Marshal(body)
	for {
		request, _ := http.NewRequest("POST", url+"/v1/outcomes", bytes.NewReader(text))
		request.Header.Set("Content-Type", "application/json")
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, fault := client.Do(request)
		if fault == nil {
			var said []byte
			said, fault = io.ReadAll(answer.Body)
			answer.Body.Close()
			var taken struct{ Jobs []job }
			if answer.StatusCode == 200 && fault == nil && json.Unmarshal(said, &taken) == nil {
				return taken.Jobs
			}
			if answer.StatusCode >= 400 && answer.StatusCode < 500 && answer.StatusCode != 429 {
				log.Fatalf("%s", said)
			}
			if fault == nil {
				fault = errors.New(string(said))
			}
		}
		log.Print(fault) // also that its certificate is not believed
		if stopping.Load() && len(outcomes) == 0 {
			return nil
		}
		time.Sleep(time.Second)
	}
}

func main() {
	if path := os.Getenv("JUNBAN_TOKEN_FILE"); token == "" && path != "" {
		text, fault := os.ReadFile(path)
		if fault != nil {
			log.Fatal(fault)
		}
		token = strings.TrimSpace(string(text))
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	go func() { <-told; stopping.Store(true) }()
	for jobs := []job{}; !stopping.Load() || len(jobs) > 0; {
		outcomes := []map[string]any{}
		for _, given := range jobs {
			outcomes = append(outcomes, outcome(given))
		}
		jobs = report(outcomes)
	}
}
