//! The official Rust SDK: client URL KEY
use rmcp::model::{CallToolRequestParams, ClientConfig};
use rmcp::serde_json::{json, Value};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::ServiceExt;

type Session = RunningService<RoleClient, ClientConfig>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let session = connect(&arguments[1], &arguments[2]).await.expect("a session");
    println!("tools {}", session.list_all_tools().await.expect("the tools").len());

    let found = call(&session, "search_goods", json!({"q": "杯", "page_size": 5})).await;
    let item = &found["items"][0];
    let mut order = json!({
        "idempotency_key": uuid::Uuid::new_v4().to_string(), "merchant_id": item["merchant_id"],
        "product_id": item["product_id"], "qty": 1,
        "receiver": {
            "name": "张三", "phone": "13800001234", "province": "浙江省", "city": "杭州市",
            "district": "西湖区", "address": "文三路 1 号",
        },
    });
    println!("order {}", text(&call(&session, "create_order", order.clone()).await["order_no"]));
    let again = call(&session, "create_order", order.clone()).await;
    println!("again {} {}", text(&again["order_no"]), again["duplicate"]);
    order["qty"] = json!(2);
    let changed = &call(&session, "create_order", order).await["error"];
    println!("refusal {} {}", text(&changed["error"]), text(&changed["hint"]));

    let refused = match connect(&arguments[1], &format!("ak_{}", "0".repeat(32))).await {
        Err(error) => error,
        Ok(stranger) => format!("{:?}", stranger.list_all_tools().await.err()),
    };
    println!("refusal key_invalid {}", refused.replace('\n', " "));
}

async fn connect(url: &str, key: &str) -> Result<Session, String> {
    let transport = StreamableHttpClientTransport::from_config(
        StreamableHttpClientTransportConfig::with_uri(format!("{url}/mcp")).auth_header(key),
    );
    ClientConfig::default().serve(transport).await.map_err(|error| error.to_string())
}

async fn call(session: &Session, name: &'static str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("no object") };
    let request = CallToolRequestParams::new(name).with_arguments(arguments);
    let answer = session.call_tool(request).await.expect("an answer");
    answer.structured_content.expect("structured content")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
