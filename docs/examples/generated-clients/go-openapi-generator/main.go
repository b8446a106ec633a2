// Submits the cards of a file, and waits until each is told of by its state, by the feed and by a webhook. The package
// scorecards is what openapi-generator makes of openapi.json.
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
	configuration := scorecards.NewConfiguration()
	configuration.Servers = scorecards.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	api := scorecards.NewAPIClient(configuration).ScorecardsAPI
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	ctx = context.WithValue(ctx, scorecards.ContextBasicAuth, scorecards.BasicAuth{
		UserName: apiset, Password: os.Getenv("API_PASSWORD"),
	})
	var cards []scorecards.Scorecard
	check(json.Unmarshal(must(os.ReadFile(os.Args[1])), &cards))
	own := map[string]bool{}
	for _, card := range cards {
		own[card.ExternalID] = true
	}

	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	address := fmt.Sprintf("http://%s/hook", listener.Addr())
	input := scorecards.NewWebhookInput(address)
	input.Types = []string{"scorecard.delivered"}
	endpoint, _, err := api.CreateWebhook(ctx, apiset).WebhookInput(*input).Execute()
	check(err)
	defer api.RemoveWebhook(ctx, apiset, endpoint.Id).Execute()
	hook := must(standardwebhooks.NewWebhook(endpoint.Secret))
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
		if event.ScorecardDeliveredEvent == nil {
			return
		}
		for _, card := range event.ScorecardDeliveredEvent.Data.Cards {
			told <- card.ExternalId
		}
	}))
	fmt.Println("hook", address)

	page, _, err := api.ListEvents(ctx, apiset).After("latest").Execute()
	check(err)
	accepted, _, err := api.SubmitScorecards(ctx, apiset).Scorecard(cards).Execute()
	check(err)
	for _, card := range accepted {
		fmt.Println("accepted", card.ExternalID, card.Result.TotalPoints)
	}
	for externalId := range own {
		for state := "queued"; state == "queued" || state == "retrying"; time.Sleep(200 * time.Millisecond) {
			status, _, err := api.GetScorecardState(ctx, apiset, externalId).Execute()
			check(err)
			state = status.State
			if state == "delivered" {
				fmt.Println("state", externalId)
			}
		}
	}
	for missing := maps.Clone(own); len(missing) > 0; time.Sleep(200 * time.Millisecond) {
		page, _, err = api.ListEvents(ctx, apiset).After(page.Cursor).Execute()
		check(err)
		for _, event := range page.Events {
			for _, card := range event.Data.Cards {
				if event.Type == "scorecard.delivered" && missing[card.ExternalId] {
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
