// Submits the cards of a file, and waits until each is told of by its state, by the feed and by a webhook. The package
// scorecards is what oapi-codegen makes of openapi.json.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"example.com/follow-cards/scorecards"
)

func main() {
	apiset := os.Getenv("API_USER")
	signIn := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(apiset, os.Getenv("API_PASSWORD"))
		return nil
	}
	api := must(scorecards.NewClientWithResponses(os.Getenv("API_URL"), scorecards.WithRequestEditorFn(signIn)))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var cards []scorecards.Scorecard
	check(json.Unmarshal(must(os.ReadFile(os.Args[1])), &cards))
	own := map[string]bool{}
	for _, card := range cards {
		own[card.ExternalID] = true
	}

	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	address := fmt.Sprintf("http://%s/hook", listener.Addr())
	types := []scorecards.WebhookInputTypes{"scorecard.delivered"}
	created := must(api.CreateWebhookWithResponse(ctx, apiset, scorecards.WebhookInput{Url: address, Types: &types}))
	if created.JSON201 == nil {
		log.Fatal(string(created.Body))
	}
	defer api.RemoveWebhookWithResponse(ctx, apiset, created.JSON201.Id)
	hook := must(standardwebhooks.NewWebhook(created.JSON201.Secret))
	told := make(chan string, 1000)
	go http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body := must(io.ReadAll(request.Body))
		if hook.Verify(body, request.Header) != nil {
			answer.WriteHeader(http.StatusUnauthorized)
			return
		}
		answer.WriteHeader(http.StatusNoContent)
		var event scorecards.WebhookEvent
		check(json.Unmarshal(body, &event))
		delivered, isDelivered := must(event.ValueByDiscriminator()).(scorecards.ScorecardDeliveredEvent)
		if !isDelivered {
			return
		}
		for _, card := range delivered.Data.Cards {
			told <- card.ExternalId
		}
	}))
	fmt.Println("hook", address)

	cursor := "latest"
	readPage := func() *scorecards.FeedPage {
		page := must(api.ListEventsWithResponse(ctx, apiset, &scorecards.ListEventsParams{After: &cursor}))
		if page.JSON200 == nil {
			log.Fatal(string(page.Body))
		}
		cursor = page.JSON200.Cursor
		return page.JSON200
	}
	readPage()
	submitted := must(api.SubmitScorecardsWithResponse(ctx, apiset, &scorecards.SubmitScorecardsParams{}, cards))
	if submitted.JSON201 == nil {
		log.Fatal(string(submitted.Body))
	}
	for _, card := range *submitted.JSON201 {
		fmt.Println("accepted", card.ExternalID, card.Result.TotalPoints)
	}
	for externalId := range own {
		for state := "queued"; state == "queued" || state == "retrying"; time.Sleep(200 * time.Millisecond) {
			status := must(api.GetScorecardStateWithResponse(ctx, apiset, externalId))
			if status.JSON200 == nil {
				log.Fatal(string(status.Body))
			}
			state = string(status.JSON200.State)
			if state == "delivered" {
				fmt.Println("state", externalId)
			}
		}
	}
	for missing := maps.Clone(own); len(missing) > 0; time.Sleep(200 * time.Millisecond) {
		for _, event := range readPage().Events {
			if event.Type != "scorecard.delivered" || event.Data.Cards == nil {
				continue
			}
			for _, card := range *event.Data.Cards {
				if missing[card.ExternalId] {
					delete(missing, card.ExternalId)
					fmt.Println("event", card.ExternalId)
				}
			}
		}
	}
	for missing := maps.Clone(own); len(missing) > 0; {
		select {
		case externalId := <-told:
			if missing[externalId] {
				delete(missing, externalId)
				fmt.Println("webhook", externalId)
			}
		case <-ctx.Done():
			log.Fatal(ctx.Err())
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func must[Value any](value Value, err error) Value {
	check(err)
	return value
}
