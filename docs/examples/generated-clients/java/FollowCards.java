// Submits the cards of a file, and waits until each is told of by its state, by the feed and by a webhook. The packages
// org.openapitools.client are what openapi-generator makes of openapi.json.
import com.fasterxml.jackson.core.type.TypeReference;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ScorecardsApi;
import org.openapitools.client.model.*;

public class FollowCards {
    public static void main(String[] arguments) throws Exception {
        var apiset = System.getenv("API_USER");
        var credentials = (apiset + ":" + System.getenv("API_PASSWORD")).getBytes(StandardCharsets.UTF_8);
        var authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
        var client = new ApiClient();
        client.updateBaseUri(System.getenv("API_URL"));
        client.setRequestInterceptor(request -> request.header("Authorization", authorization));
        var api = new ScorecardsApi(client);
        var json = client.getObjectMapper();
        var cards = json.readValue(Files.readString(Path.of(arguments[0])), new TypeReference<List<Scorecard>>() {});
        var own = cards.stream().map(Scorecard::getExternalID).toList();

        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        var address = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
        var endpoint = api.createWebhook(
            apiset, new WebhookInput().url(address).types(List.of(WebhookInput.TypesEnum.SCORECARD_DELIVERED)));
        var hook = new Webhook(endpoint.getSecret());
        var told = new LinkedBlockingQueue<String>();
        server.createContext("/hook", request -> {
            var body = new String(request.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            try {
                hook.verify(body, request.getRequestHeaders());
                request.sendResponseHeaders(204, -1);
                var event = json.readValue(body, WebhookEvent.class).getActualInstance();
                if (event instanceof ScorecardDeliveredEvent delivered) {
                    delivered.getData().getCards().forEach(card -> told.add(card.getExternalId()));
                }
            } catch (WebhookVerificationException | IllegalArgumentException error) {
                request.sendResponseHeaders(401, -1);
            }
            request.close();
        });
        server.start();
        System.out.println("hook " + address);

        var cursor = api.listEvents(apiset, "latest").getCursor();
        for (var card : api.submitScorecards(apiset, cards, null)) {
            System.out.println("accepted " + card.getExternalID() + " " + card.getResult().getTotalPoints());
        }
        for (var externalId : own) {
            var state = CardStatus.StateEnum.QUEUED;
            while (state == CardStatus.StateEnum.QUEUED || state == CardStatus.StateEnum.RETRYING) {
                Thread.sleep(200);
                state = api.getScorecardState(apiset, externalId).getState();
            }
            if (state == CardStatus.StateEnum.DELIVERED) System.out.println("state " + externalId);
        }
        for (var missing = new HashSet<>(own); !missing.isEmpty(); Thread.sleep(200)) {
            var page = api.listEvents(apiset, cursor);
            cursor = page.getCursor();
            for (var event : page.getEvents()) {
                if (!event.getType().equals("scorecard.delivered")) continue;
                for (var card : event.getData().getCards()) {
                    if (missing.remove(card.getExternalId())) System.out.println("event " + card.getExternalId());
                }
            }
        }
        for (var missing = new HashSet<>(own); !missing.isEmpty(); ) {
            var externalId = told.poll(60, TimeUnit.SECONDS);
            if (externalId == null) throw new IllegalStateException("No webhook in a minute");
            if (missing.remove(externalId)) System.out.println("webhook " + externalId);
        }
        api.removeWebhook(apiset, endpoint.getId());
        server.stop(0);
    }
}
