//! Orders with the client that OpenAPI Generator makes for Rust: order URL KEY
use agentmall::apis::affiliate_api::{cps_compare, cps_smart_search};
use agentmall::apis::configuration::Configuration;
use agentmall::apis::goods_api::{get_goods_detail, search_goods};
use agentmall::apis::orders_api::{create_order, get_order_status, CreateOrderError};
use agentmall::apis::Error;
use agentmall::models::{
    idempotency_mismatch_or_qty_over_cap_or_merchant_mismatch_error::Error as OrderError,
    key_required_or_key_invalid_error::Error as KeyError, CpsCompareBody,
    CpsSmartSearchBody, CreateOrderBody, CreateOrderResult, Receiver,
};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let owner = configuration(&arguments[1], &arguments[2]);
    let stranger = configuration(&arguments[1], &format!("ak_{}", "0".repeat(32)));
    let key = uuid::Uuid::new_v4().to_string();

    let page = Some(5);
    let found = search_goods(&owner, Some("杯"), None, None, None, None, None, page, None)
        .await
        .expect("a search");
    let item = &found.data.items[0];
    read_more(&owner, item.sku_id).await;
    let body = |qty| CreateOrderBody::new(item.merchant_id, item.product_id, qty, receiver());

    let first = order(&owner, &key, body(1)).await.expect("an order");
    println!("order {}", first.order_no);
    let status = get_order_status(&owner, &first.order_no).await.expect("a status");
    println!("read get_order_status {}", status.data.status);
    let again = order(&owner, &key, body(1)).await.expect("the same order");
    println!("again {} {}", again.order_no, again.duplicate);
    match order(&owner, &key, body(2)).await.expect_err("a refusal") {
        CreateOrderError::Status422(answer) => {
            assert_eq!(answer.data.error, OrderError::IdempotencyMismatch);
            println!("refusal idempotency_mismatch {}", answer.data.hint);
        }
        other => panic!("{other:?}"),
    }
    match order(&stranger, &key, body(1)).await.expect_err("a refusal") {
        CreateOrderError::Status401(answer) => {
            assert_eq!(answer.data.error, KeyError::KeyInvalid);
            println!("refusal key_invalid {}", answer.data.hint);
        }
        other => panic!("{other:?}"),
    }
}

async fn read_more(owner: &Configuration, sku: i64) {
    let detail = get_goods_detail(owner, sku).await.expect("a detail");
    println!("read get_goods_detail {}", detail.data.title);
    let mut query = CpsSmartSearchBody::new("杯".to_owned());
    query.page_size = Some(3);
    let found = cps_smart_search(owner, query).await.expect("a smart search");
    let items = found.data.items.into_iter().take(2).map(|item| item.item_id).collect::<Vec<_>>();
    println!("read cps_smart_search {}", items[0]);
    let compared = cps_compare(owner, CpsCompareBody::new(items)).await.expect("a comparison");
    println!("read cps_compare {}", compared.data.rows[0].attribute);
}

fn configuration(base_path: &str, key: &str) -> Configuration {
    Configuration {
        base_path: base_path.to_owned(),
        bearer_access_token: Some(key.to_owned()),
        ..Configuration::default()
    }
}

fn receiver() -> Receiver {
    let [name, phone, province, city, district, address] =
        ["张三", "13800001234", "浙江省", "杭州市", "西湖区", "文三路 1 号"].map(str::to_owned);
    Receiver::new(name, phone, province, city, district, address)
}

async fn order(
    configuration: &Configuration,
    key: &str,
    body: CreateOrderBody,
) -> Result<CreateOrderResult, CreateOrderError> {
    match create_order(configuration, key, body).await {
        Ok(answer) => Ok(*answer.data),
        Err(Error::ResponseError(refused)) => {
            Err(refused.entity.unwrap_or_else(|| panic!("not readable: {}", refused.content)))
        }
        Err(error) => panic!("{error}"),
    }
}
