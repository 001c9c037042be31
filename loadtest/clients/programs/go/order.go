// Orders with the client that OpenAPI Generator makes for Go: order URL KEY
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	agentmall "agentmall.test/sandbox/client"
)

func main() {
	configuration := agentmall.NewConfiguration()
	configuration.Servers = agentmall.ServerConfigurations{{URL: os.Args[1]}}
	client := agentmall.NewAPIClient(configuration)
	owner := withKey(os.Args[2])

	found, _, err := client.GoodsAPI.SearchGoods(owner).Q("杯").PageSize(5).Execute()
	if err != nil {
		log.Fatal(err)
	}
	item := found.Data.Items[0]
	readMore(client, owner, item.SkuId)
	receiver := *agentmall.NewReceiver("张三", "13800001234", "浙江省", "杭州市", "西湖区", "文三路 1 号")
	idempotencyKey := newUUID()
	order := func(by context.Context, qty int32) (*agentmall.CreateOrderAnswer, error) {
		body := agentmall.NewCreateOrderBody(item.MerchantId, item.ProductId, qty, receiver)
		answer, _, err := client.OrdersAPI.CreateOrder(by).
			IdempotencyKey(idempotencyKey).CreateOrderBody(*body).Execute()
		return answer, err
	}

	first, err := order(owner, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("order", first.Data.OrderNo)
	status, _, err := client.OrdersAPI.GetOrderStatus(owner, first.Data.OrderNo).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("read get_order_status", status.Data.Status)
	again, err := order(owner, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("again", again.Data.OrderNo, again.Data.Duplicate)
	_, err = order(owner, 2)
	printRefusal(err)
	_, err = order(withKey("ak_"+strings.Repeat("0", 32)), 1)
	printRefusal(err)
}

func readMore(client *agentmall.APIClient, owner context.Context, sku int64) {
	detail, _, err := client.GoodsAPI.GetGoodsDetail(owner, sku).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("read get_goods_detail", detail.Data.Title)
	query := agentmall.NewCpsSmartSearchBody("杯")
	query.SetPageSize(3)
	found, _, err := client.AffiliateAPI.CpsSmartSearch(owner).CpsSmartSearchBody(*query).Execute()
	if err != nil {
		log.Fatal(err)
	}
	items := found.Data.Items
	fmt.Println("read cps_smart_search", items[0].ItemId)
	pair := agentmall.NewCpsCompareBody([]string{items[0].ItemId, items[1].ItemId})
	compared, _, err := client.AffiliateAPI.CpsCompare(owner).CpsCompareBody(*pair).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("read cps_compare", compared.Data.Rows[0].Attribute)
}

func withKey(key string) context.Context {
	return context.WithValue(context.Background(), agentmall.ContextAccessToken, key)
}

func newUUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		log.Fatal(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Prints what the typed error of a refused call says.
func printRefusal(err error) {
	var refused *agentmall.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatal("not refused: ", err)
	}
	switch answer := refused.Model().(type) {
	case agentmall.IdempotencyMismatchOrQtyOverCapOrMerchantMismatchAnswer:
		fmt.Println("refusal", answer.Data.Error, answer.Data.Hint)
	case agentmall.KeyRequiredOrKeyInvalidAnswer:
		fmt.Println("refusal", answer.Data.Error, answer.Data.Hint)
	default:
		log.Fatalf("not readable: %v", err)
	}
}
