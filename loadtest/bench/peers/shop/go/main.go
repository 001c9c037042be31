// The shop on the Go SDK: stateless, JSON answers, goods in memory by brand, and an order that is
// a number and kept nowhere. It prints its port.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const pageItems = 20

type item struct {
	ProductID   uint64 `json:"product_id"`
	SkuID       uint64 `json:"sku_id"`
	MerchantID  uint64 `json:"merchant_id"`
	Title       string `json:"title"`
	RetailPrice uint64 `json:"retail_price"`
	Image       string `json:"image"`
	Description string `json:"description"`
}

type page struct {
	Items []*item `json:"items"`
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
	OrderNo string `json:"order_no"`
	Amount  uint64 `json:"amount"`
	Status  string `json:"status"`
}

var errNotFound = errors.New("not found")

type shop struct {
	byBrand map[string][]*item
	bySku   map[uint64]*item
	orders  atomic.Uint64
}

func openShop(file string) (*shop, error) {
	bytes, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var items []*item
	if err := json.Unmarshal(bytes, &items); err != nil {
		return nil, err
	}
	s := &shop{byBrand: map[string][]*item{}, bySku: map[uint64]*item{}}
	for _, one := range items {
		brand, _, _ := strings.Cut(one.Title, " ")
		s.byBrand[brand] = append(s.byBrand[brand], one)
		s.bySku[one.SkuID] = one
	}
	return s, nil
}

func (s *shop) search(
	_ context.Context, _ *mcp.CallToolRequest, in searchInput,
) (*mcp.CallToolResult, page, error) {
	found := s.byBrand[in.Q]
	return nil, page{Items: found[:min(len(found), pageItems)]}, nil
}

func (s *shop) detail(
	_ context.Context, _ *mcp.CallToolRequest, in detailInput,
) (*mcp.CallToolResult, *item, error) {
	if found, ok := s.bySku[in.SkuID]; ok {
		return nil, found, nil
	}
	return nil, nil, errNotFound
}

func (s *shop) order(
	_ context.Context, _ *mcp.CallToolRequest, in orderInput,
) (*mcp.CallToolResult, placed, error) {
	found, ok := s.bySku[in.ProductID*100+1]
	if !ok {
		return nil, placed{}, errNotFound
	}
	if len(in.IdempotencyKey) != 36 {
		return nil, placed{}, errors.New("idempotency_key must be a UUID")
	}
	return nil, placed{
		OrderNo: fmt.Sprintf("AM%018d", s.orders.Add(1)),
		Amount:  found.RetailPrice * in.Qty,
		Status:  "pending_payment",
	}, nil
}

func main() {
	s, err := openShop(os.Args[1])
	if err != nil {
		panic(err)
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
