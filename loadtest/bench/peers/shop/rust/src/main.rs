//! The shop on the Rust SDK (rmcp) with axum: stateless, JSON answers. Goods are asked from their
//! service over HTTP, counts and orders stand in Redis. It prints its port.

use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use reqwest::Client;
use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use rmcp::{Json, ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize, JsonSchema)]
struct Item {
    product_id: u64,
    sku_id: u64,
    merchant_id: u64,
    title: String,
    retail_price: u64,
    image: String,
    description: String,
}

/// A line of a page.
#[derive(Serialize, JsonSchema)]
struct Offer {
    product_id: u64,
    sku_id: u64,
    title: String,
    retail_price: u64,
    image: String,
    popularity_rank: usize,
}

#[derive(Deserialize)]
struct Found {
    items: Vec<Item>,
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

#[derive(Deserialize)]
struct Total {
    amount: u64,
    order_no: String,
}

#[derive(Serialize, JsonSchema)]
struct Page {
    items: Vec<Offer>,
}

#[derive(Serialize, JsonSchema)]
struct StockedItem {
    #[serde(flatten)]
    item: Item,
    stock: u64,
}

#[derive(Serialize, JsonSchema)]
struct Placed {
    order_no: String,
    amount: u64,
    status: String,
    orders_of_product: u64,
}

#[derive(Clone)]
struct Shop {
    http: Client,
    redis: MultiplexedConnection,
    goods: Arc<str>,
    tools: Arc<ToolRouter<Self>>,
}

const POPULAR: &str = "popular";

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Shop {
    async fn read<T: serde::de::DeserializeOwned>(
        &self, path: &str, query: &[(&str, &str)],
    ) -> Result<T, String> {
        let url = format!("{}{path}", self.goods);
        let answer = self.http.get(url).query(query).send().await.map_err(said)?;
        answer.error_for_status().map_err(said)?.json().await.map_err(said)
    }

    async fn total(&self, order: &Order) -> Result<Total, String> {
        let body = serde_json::json!({ "product_id": order.product_id, "qty": order.qty });
        let url = format!("{}/total", self.goods);
        let answer = self.http.post(url).json(&body).send().await.map_err(said)?;
        answer.error_for_status().map_err(said)?.json().await.map_err(said)
    }
}

#[tool_router]
impl Shop {
    #[tool(name = "search_goods", description = "Finds goods of a brand")]
    async fn search(
        &self, Parameters(Search { q }): Parameters<Search>,
    ) -> Result<Json<Page>, String> {
        let mut redis = self.redis.clone();
        let mut popular = redis::cmd("ZREVRANGE");
        popular.arg(POPULAR).arg(0).arg(9);
        let query = [("brand", q.as_str())];
        let (found, popular) = tokio::join!(
            self.read::<Found>("/goods", &query),
            popular.query_async::<Vec<u64>>(&mut redis),
        );
        let popular = popular.map_err(said)?;
        let rank = |id: u64| popular.iter().position(|&one| one == id).map_or(0, |at| at + 1);
        let offers = found?.items.into_iter().map(|item| Offer {
            popularity_rank: rank(item.product_id),
            product_id: item.product_id,
            sku_id: item.sku_id,
            title: item.title,
            retail_price: item.retail_price,
            image: item.image,
        });
        Ok(Json(Page { items: offers.collect() }))
    }

    #[tool(name = "get_goods_detail", description = "One item")]
    async fn detail(
        &self, Parameters(Detail { sku_id }): Parameters<Detail>,
    ) -> Result<Json<StockedItem>, String> {
        let mut redis = self.redis.clone();
        let mut stock = redis::cmd("GET");
        stock.arg(format!("stock:{sku_id}"));
        let path = format!("/goods/{sku_id}");
        let (item, stock) = tokio::join!(
            self.read::<Item>(&path, &[]), stock.query_async::<Option<u64>>(&mut redis),
        );
        let stock = stock.map_err(said)?.unwrap_or_default();
        Ok(Json(StockedItem { item: item?, stock }))
    }

    #[tool(name = "create_order", description = "Orders an item")]
    async fn order(
        &self, Parameters(order): Parameters<Order>,
    ) -> Result<Json<Placed>, String> {
        if order.idempotency_key.len() != 36 {
            return Err("idempotency_key must be a UUID".into());
        }
        let mut redis = self.redis.clone();
        let id = order.product_id;
        let mut noted = redis::pipe();
        noted.cmd("INCR").arg(format!("orders_of:{id}"))
            .cmd("RPUSH").arg(format!("history:{id}")).arg(&order.idempotency_key).ignore()
            .cmd("ZINCRBY").arg(POPULAR).arg(1).arg(id).ignore();
        let (total, noted) = tokio::join!(
            self.total(&order), noted.query_async::<(u64,)>(&mut redis),
        );
        let (orders_of_product,) = noted.map_err(said)?;
        let Total { amount, order_no } = total?;
        Ok(Json(Placed { order_no, amount, status: "confirmed".into(), orders_of_product }))
    }
}

#[tool_handler(router = self.tools)]
impl ServerHandler for Shop {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let goods = arguments.next().expect("the address of the goods service");
    let redis = arguments.next().expect("the address of Redis");
    let redis = redis::Client::open(redis).expect("an address of Redis");
    let shop = Shop {
        http: Client::builder().tcp_nodelay(true).build().expect("an HTTP client"),
        redis: redis.get_multiplexed_async_connection().await.expect("Redis"),
        goods: goods.into(),
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
