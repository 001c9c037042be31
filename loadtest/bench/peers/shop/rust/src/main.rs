//! The shop on the Rust SDK (rmcp) with axum: stateless, JSON answers, goods in memory by brand,
//! and an order that is a number and kept nowhere. It prints its port.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use rmcp::{Json, ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Item {
    product_id: u64,
    sku_id: u64,
    merchant_id: u64,
    title: String,
    retail_price: u64,
    image: String,
    description: String,
}

#[derive(Deserialize, JsonSchema)]
struct Search {
    q: String,
}

#[derive(Deserialize, JsonSchema)]
struct Detail {
    sku_id: u64,
}

#[derive(Deserialize, JsonSchema)]
struct Order {
    idempotency_key: String,
    product_id: u64,
    qty: u64,
}

#[derive(Serialize, JsonSchema)]
struct Page {
    items: Vec<Item>,
}

#[derive(Serialize, JsonSchema)]
struct Placed {
    order_no: String,
    amount: u64,
    status: String,
}

struct Goods {
    by_brand: HashMap<String, Vec<Item>>,
    by_sku: HashMap<u64, Item>,
    orders: AtomicU64,
}

#[derive(Clone)]
struct Shop {
    goods: Arc<Goods>,
    tools: Arc<ToolRouter<Self>>,
}

const PAGE_ITEMS: usize = 20;

#[tool_router]
impl Shop {
    #[tool(name = "search_goods", description = "Finds goods of a brand")]
    async fn search(&self, Parameters(Search { q }): Parameters<Search>) -> Json<Page> {
        let found = self.goods.by_brand.get(&q).map(Vec::as_slice).unwrap_or_default();
        Json(Page { items: found.iter().take(PAGE_ITEMS).cloned().collect() })
    }

    #[tool(name = "get_goods_detail", description = "One item")]
    async fn detail(
        &self, Parameters(Detail { sku_id }): Parameters<Detail>,
    ) -> Result<Json<Item>, String> {
        self.goods.by_sku.get(&sku_id).cloned().map(Json).ok_or("not found".into())
    }

    #[tool(name = "create_order", description = "Orders an item")]
    async fn order(
        &self, Parameters(order): Parameters<Order>,
    ) -> Result<Json<Placed>, String> {
        let sku_id = order.product_id * 100 + 1;
        let item = self.goods.by_sku.get(&sku_id).ok_or("not found")?;
        if order.idempotency_key.len() != 36 {
            return Err("idempotency_key must be a UUID".into());
        }
        let number = self.goods.orders.fetch_add(1, Ordering::Relaxed);
        Ok(Json(Placed {
            order_no: format!("AM{number:018}"),
            amount: item.retail_price * order.qty,
            status: "pending_payment".into(),
        }))
    }
}

#[tool_handler(router = self.tools)]
impl ServerHandler for Shop {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let file = std::env::args().nth(1).expect("the file of goods");
    let items: Vec<Item> =
        serde_json::from_slice(&std::fs::read(file).expect("goods")).expect("a list of goods");
    let mut by_brand: HashMap<String, Vec<Item>> = HashMap::new();
    for item in &items {
        let brand = item.title.split(' ').next().unwrap_or_default().to_string();
        by_brand.entry(brand).or_default().push(item.clone());
    }
    let by_sku = items.into_iter().map(|item| (item.sku_id, item)).collect();
    let shop = Shop {
        goods: Arc::new(Goods { by_brand, by_sku, orders: AtomicU64::new(0) }),
        tools: Arc::new(Shop::tool_router()),
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let service = StreamableHttpService::new(
        move || Ok(shop.clone()), Arc::new(NeverSessionManager::default()), config,
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await.expect("served");
}
