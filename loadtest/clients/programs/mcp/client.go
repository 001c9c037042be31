// The official Go SDK: client URL KEY
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

// withKey sends the key with every request.
type withKey struct{ key string }

func (t withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	copied := request.Clone(request.Context())
	copied.Header.Set("Authorization", "Bearer "+t.key)
	return http.DefaultTransport.RoundTrip(copied)
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	session, err := connect(ctx, os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tools", len(list.Tools))
	fmt.Println("besides", session.InitializeResult().ProtocolVersion)
	call := func(name string, arguments object) object {
		answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			log.Fatal(err)
		}
		return answer.StructuredContent.(object)
	}

	found := call("search_goods", object{"q": "杯", "page_size": 5})
	item := found["items"].([]any)[0].(object)
	order := object{
		"idempotency_key": newUUID(), "merchant_id": item["merchant_id"],
		"product_id": item["product_id"], "qty": 1,
		"receiver": object{
			"name": "张三", "phone": "13800001234", "province": "浙江省", "city": "杭州市",
			"district": "西湖区", "address": "文三路 1 号",
		},
	}
	fmt.Println("order", call("create_order", order)["order_no"])
	again := call("create_order", order)
	fmt.Println("again", again["order_no"], again["duplicate"])
	order["qty"] = 2
	changed := call("create_order", order)["error"].(object)
	fmt.Println("refusal", changed["error"], changed["hint"])

	stranger, err := connect(ctx, "ak_"+strings.Repeat("0", 32))
	if err == nil {
		_, err = stranger.ListTools(ctx, nil)
	}
	fmt.Println("refusal key_invalid", strings.ReplaceAll(fmt.Sprint(err), "\n", " "))
}

func connect(ctx context.Context, key string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "clients", Version: "1.0.0"}, nil)
	return client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: os.Args[1] + "/mcp", HTTPClient: &http.Client{Transport: withKey{key}},
	}, nil)
}

func newUUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		log.Fatal(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
