// A worker that serves HTTP (openapi/worker.yaml). `JUNBAN_SECRET=SECRET go run served.go PORT`
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type job struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Argument map[string]any `json:"argument"`
}

var secret = []byte(os.Getenv("JUNBAN_SECRET"))

func run(given job) (any, error) { // the work itself
	pages, known := given.Argument["pages"].(float64)
	if !known {
		return nil, errors.New("no pages")
	}
	return map[string]any{"pages": pages * 2}, nil
}

func isMasters(request *http.Request, body []byte) bool {
	sentAt := request.Header.Get("Junban-Time")
	code := hmac.New(sha256.New, secret)
	fmt.Fprintf(code, "%s\n%s\n%s\n%s", request.Method, request.URL.EscapedPath(), sentAt, body)
	given, _ := hex.DecodeString(request.Header.Get("Junban-Signature"))
	seconds, _ := strconv.ParseInt(sentAt, 10, 64)
	return hmac.Equal(given, code.Sum(nil)) && time.Since(time.Unix(seconds, 0)).Abs() < 5*time.Minute
}

func outcome(given job) map[string]any {
	result, fault := run(given)
	answer := map[string]any{"type": "success", "result": result, "finished_at": time.Now().UTC().Format(time.RFC3339Nano)}
	if fault != nil {
		delete(answer, "result")
		answer["type"], answer["reason"], answer["should_retry"], answer["message"] = "failure", "other", false, fault.Error()
	}
	return answer
}

func main() {
	if len(secret) == 0 {
		log.Fatal("JUNBAN_SECRET is missing")
	}
	http.HandleFunc("/v1/health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/v1/run", func(response http.ResponseWriter, request *http.Request) {
		var given job
		body, fault := io.ReadAll(request.Body)
		if fault != nil || !isMasters(request, body) || json.Unmarshal(body, &given) != nil {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		response.Header().Set("Content-Type", "application/json")
		json.NewEncoder(response).Encode(outcome(given))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil)) // this worker cannot stop a job: 404
}
