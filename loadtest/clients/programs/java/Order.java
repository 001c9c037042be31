import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.AffiliateApi;
import org.openapitools.client.api.GoodsApi;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.model.CpsCompareBody;
import org.openapitools.client.model.CpsSmartSearchBody;
import org.openapitools.client.model.CreateOrderBody;
import org.openapitools.client.model.CreateOrderResult;
import org.openapitools.client.model.GoodsPageItemsInner;
import org.openapitools.client.model.IdempotencyMismatchOrQtyOverCapOrMerchantMismatchAnswer;
import org.openapitools.client.model.KeyRequiredOrKeyInvalidAnswer;
import org.openapitools.client.model.Receiver;

/** Orders with the client that OpenAPI Generator makes for Java: Order URL KEY */
public class Order {
    private static final UUID IDEMPOTENCY_KEY = UUID.randomUUID();

    public static void main(String[] args) throws ApiException {
        ApiClient client = clientFor(args[0], args[1]);
        GoodsPageItemsInner item = new GoodsApi(client)
            .searchGoods("杯", null, null, null, null, 1, 5, null).getData().getItems().get(0);
        readMore(client, item.getSkuId());
        String orderNo = order(client, item, 1).getOrderNo();
        System.out.println("order " + orderNo);
        System.out.println("read get_order_status "
            + new OrdersApi(client).getOrderStatus(orderNo).getData().getStatus());
        CreateOrderResult again = order(client, item, 1);
        System.out.println("again " + again.getOrderNo() + " " + again.getDuplicate());
        IdempotencyMismatchOrQtyOverCapOrMerchantMismatchAnswer changed = refusal(client, item, 2,
            IdempotencyMismatchOrQtyOverCapOrMerchantMismatchAnswer.class);
        print(changed.getData().getError(), changed.getData().getHint());
        ApiClient stranger = clientFor(args[0], "ak_" + "0".repeat(32));
        KeyRequiredOrKeyInvalidAnswer unknown =
            refusal(stranger, item, 1, KeyRequiredOrKeyInvalidAnswer.class);
        print(unknown.getData().getError(), unknown.getData().getHint());
        System.exit(0);
    }

    private static ApiClient clientFor(String url, String key) {
        ApiClient client = new ApiClient().setBasePath(url);
        client.setBearerToken(key);
        return client;
    }

    private static void readMore(ApiClient client, Long sku) throws ApiException {
        System.out.println("read get_goods_detail "
            + new GoodsApi(client).getGoodsDetail(sku).getData().getTitle());
        AffiliateApi affiliate = new AffiliateApi(client);
        Set<String> items = new LinkedHashSet<>();
        affiliate.cpsSmartSearch(new CpsSmartSearchBody().query("杯").pageSize(3)).getData()
            .getItems().stream().limit(2).forEach(item -> items.add(item.getItemId()));
        System.out.println("read cps_smart_search " + items.iterator().next());
        System.out.println("read cps_compare " + affiliate.cpsCompare(new CpsCompareBody()
            .items(items)).getData().getRows().get(0).getAttribute());
    }

    private static CreateOrderResult order(ApiClient client, GoodsPageItemsInner item, int qty)
            throws ApiException {
        Receiver receiver = new Receiver().name("张三").phone("13800001234").province("浙江省")
            .city("杭州市").district("西湖区").address("文三路 1 号");
        return new OrdersApi(client).createOrder(IDEMPOTENCY_KEY.toString(), new CreateOrderBody()
            .merchantId(item.getMerchantId()).productId(item.getProductId()).qty(qty)
            .receiver(receiver)).getData();
    }

    private static <T> T refusal(
            ApiClient client, GoodsPageItemsInner item, int qty, Class<T> answer) {
        try {
            order(client, item, qty);
        } catch (ApiException refused) {
            return JSON.deserialize(refused.getResponseBody(), answer);
        }
        throw new IllegalStateException("It was not refused.");
    }

    private static void print(Object error, String hint) {
        System.out.println("refusal " + error + " " + hint);
    }
}
