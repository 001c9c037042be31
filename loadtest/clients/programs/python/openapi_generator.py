"""Orders with the client that OpenAPI Generator makes for Python: order.py URL KEY"""
import importlib
import pkgutil
import sys
from uuid import uuid4

import openapi_client
from openapi_client import (
    AffiliateApi, ApiClient, ApiException, Configuration, GoodsApi, OrdersApi)
from openapi_client.models import CpsCompareBody, CpsSmartSearchBody, CreateOrderBody, Receiver

RECEIVER = Receiver(
    name='张三', phone='13800001234', province='浙江省', city='杭州市', district='西湖区',
    address='文三路 1 号')


def order(api: OrdersApi, item, qty: int, idempotency_key: str):
    return api.create_order(idempotency_key, CreateOrderBody(
        merchant_id=item.merchant_id, product_id=item.product_id, qty=qty, receiver=RECEIVER))


def print_refusal(call) -> None:
    try:
        call()
    except ApiException as refused:
        print('refusal', refused.data.data.error, refused.data.data.hint)


def main(url: str, key: str) -> None:
    def api_for(token: str) -> ApiClient:
        return ApiClient(Configuration(host=url, access_token=token))

    goods, affiliate = GoodsApi(api_for(key)), AffiliateApi(api_for(key))
    items = goods.search_goods(q='杯', page_size=5).data.items
    print('read get_goods_detail', goods.get_goods_detail(items[0].sku_id).data.title)
    found = affiliate.cps_smart_search(CpsSmartSearchBody(query='杯', page_size=3)).data.items
    print('read cps_smart_search', found[0].item_id)
    compared = affiliate.cps_compare(CpsCompareBody(items=[item.item_id for item in found[:2]]))
    print('read cps_compare', compared.data.rows[0].attribute)

    orders, stranger = OrdersApi(api_for(key)), OrdersApi(api_for('ak_' + '0' * 32))
    idempotency_key = str(uuid4())
    order_no = order(orders, items[0], 1, idempotency_key).data.order_no
    print('order', order_no)
    print('read get_order_status', orders.get_order_status(order_no).data.status.value)
    again = order(orders, items[0], 1, idempotency_key).data
    print('again', again.order_no, str(again.duplicate).lower())
    print_refusal(lambda: order(orders, items[0], 2, idempotency_key))
    print_refusal(lambda: order(stranger, items[0], 1, idempotency_key))


if sys.argv[1:] == ['import']:
    for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'):
        importlib.import_module(module.name)
else:
    main(*sys.argv[1:])
