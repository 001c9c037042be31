// The shop on the Go SDK: stateless, JSON answers. Goods are asked from their service over HTTP,
// counts and orders stand in Redis. It prints its port.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/redis/go-redis/v9"
)

const popular = "popular"

type item struct {
	ProductID   uint64 `json:"product_id"`
	SkuID       uint64 `json:"sku_id"`
	MerchantID  uint64 `json:"merchant_id"`
	Title       string `json:"title"`
	RetailPrice uint64 `json:"retail_price"`
	Image       string `json:"image"`
	Description string `json:"description"`
}

// A line of a page.
type offer struct {
	ProductID      uint64 `json:"product_id"`
	SkuID          uint64 `json:"sku_id"`
	Title          string `json:"title"`
	RetailPrice    uint64 `json:"retail_price"`
	Image          string `json:"image"`
	PopularityRank int    `json:"popularity_rank"`
}

type page struct {
	Items []offer `json:"items"`
}

type stockedItem struct {
	item
	Stock uint64 `json:"stock"`
}

type searchInput struct {
	Q string `json:"q"`
}

type detailInput struct {
	SkuID uint64 `json:"sku_id"`
}

type orderInput struct {
	IdempotencyKey string `json:"idempotency_key"`
	ProductID      uint64 `json:"product_id"`
	Qty            uint64 `json:"qty"`
}

type placed struct {
	OrderNo         string `json:"order_no"`
	Amount          uint64 `json:"amount"`
	Status          string `json:"status"`
	OrdersOfProduct int64  `json:"orders_of_product"`
}

type shop struct {
	goods  string
	client *http.Client
	redis  *redis.Client
}

// Asks the service of goods.
func (s *shop) ask(ctx context.Context, method, path string, body, answer any) error {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, s.goods+path, &sent)
	if err != nil {
		return err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// Both at once, as each only waits.
func together(one, other func() error) error {
	failed := make(chan error, 1)
	go func() { failed <- one() }()
	err := other()
	return errors.Join(err, <-failed)
}

func (s *shop) search(
	ctx context.Context, _ *mcp.CallToolRequest, in searchInput,
) (*mcp.CallToolResult, page, error) {
	var found struct{ Items []item }
	var ids []string
	err := together(func() error {
		return s.ask(ctx, http.MethodGet, "/goods?brand="+url.QueryEscape(in.Q), nil, &found)
	}, func() (err error) {
		ids, err = s.redis.ZRevRange(ctx, popular, 0, 9).Result()
		return err
	})
	if err != nil {
		return nil, page{}, err
	}
	offers := make([]offer, 0, len(found.Items))
	for _, one := range found.Items {
		rank := slices.Index(ids, strconv.FormatUint(one.ProductID, 10)) + 1
		offers = append(offers, offer{
			one.ProductID, one.SkuID, one.Title, one.RetailPrice, one.Image, rank,
		})
	}
	return nil, page{Items: offers}, nil
}

func (s *shop) detail(
	ctx context.Context, _ *mcp.CallToolRequest, in detailInput,
) (*mcp.CallToolResult, stockedItem, error) {
	var found stockedItem
	err := together(func() error {
		return s.ask(ctx, http.MethodGet, fmt.Sprint("/goods/", in.SkuID), nil, &found.item)
	}, func() (err error) {
		found.Stock, err = s.redis.Get(ctx, fmt.Sprint("stock:", in.SkuID)).Uint64()
		return err
	})
	return nil, found, err
}

func (s *shop) order(
	ctx context.Context, _ *mcp.CallToolRequest, in orderInput,
) (*mcp.CallToolResult, placed, error) {
	if len(in.IdempotencyKey) != 36 {
		return nil, placed{}, errors.New("idempotency_key must be a UUID")
	}
	result := placed{Status: "confirmed"}
	err := together(func() error {
		body := map[string]uint64{"product_id": in.ProductID, "qty": in.Qty}
		return s.ask(ctx, http.MethodPost, "/total", body, &result)
	}, func() error {
		noted := s.redis.Pipeline()
		count := noted.Incr(ctx, fmt.Sprint("orders_of:", in.ProductID))
		noted.RPush(ctx, fmt.Sprint("history:", in.ProductID), in.IdempotencyKey)
		noted.ZIncrBy(ctx, popular, 1, strconv.FormatUint(in.ProductID, 10))
		_, err := noted.Exec(ctx)
		result.OrdersOfProduct = count.Val()
		return err
	})
	return nil, result, err
}

func main() {
	options, err := redis.ParseURL(os.Args[2])
	if err != nil {
		panic(err)
	}
	s := &shop{
		goods: os.Args[1],
		client: &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
			MaxIdleConns: 200, MaxIdleConnsPerHost: 100, IdleConnTimeout: 90 * time.Second,
		}},
		redis: redis.NewClient(options),
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1.0.0"}, &mcp.ServerOptions{
		SchemaCache: mcp.NewSchemaCache(),
	})
	mcp.AddTool(server, &mcp.Tool{Name: "search_goods", Description: "Finds goods of a brand"}, s.search)
	mcp.AddTool(server, &mcp.Tool{Name: "get_goods_detail", Description: "One item"}, s.detail)
	mcp.AddTool(server, &mcp.Tool{Name: "create_order", Description: "Orders an item"}, s.order)
	handler := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	panic(http.Serve(listener, mux))
}
