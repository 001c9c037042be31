"""Orders with the client that openapi-python-client generates: order.py URL KEY"""
import importlib
import pkgutil
import sys
from uuid import uuid4

import agentmall_client
from agentmall_client import AuthenticatedClient
from agentmall_client.api.affiliate import cps_compare, cps_smart_search
from agentmall_client.api.goods import get_goods_detail, search_goods
from agentmall_client.api.orders import create_order, get_order_status
from agentmall_client.models import CpsCompareBody, CpsSmartSearchBody, CreateOrderBody, Receiver

RECEIVER = Receiver(
    name='张三', phone='13800001234', province='浙江省', city='杭州市', district='西湖区',
    address='文三路 1 号')


def main(url: str, key: str) -> None:
    client = AuthenticatedClient(base_url=url, token=key)
    stranger = AuthenticatedClient(base_url=url, token='ak_' + '0' * 32)
    item = search_goods.sync(client=client, q='杯', page_size=5).data.items[0]
    detail = get_goods_detail.sync(item.sku_id, client=client).data
    print('read get_goods_detail', detail.title)
    found = cps_smart_search.sync(
        client=client, body=CpsSmartSearchBody(query='杯', page_size=3)).data.items
    print('read cps_smart_search', found[0].item_id)
    compared = cps_compare.sync(
        client=client, body=CpsCompareBody(items=[item.item_id for item in found[:2]])).data
    print('read cps_compare', compared.rows[0].attribute)

    idempotency_key = str(uuid4())

    def order(qty: int, by: AuthenticatedClient = client):
        return create_order.sync(client=by, idempotency_key=idempotency_key, body=CreateOrderBody(
            merchant_id=item.merchant_id, product_id=item.product_id, qty=qty, receiver=RECEIVER,
        )).data

    order_no = order(1).order_no
    print('order', order_no)
    print('read get_order_status', get_order_status.sync(order_no, client=client).data.status)
    again = order(1)
    print('again', again.order_no, str(again.duplicate).lower())
    changed, refused = order(2), order(1, stranger)
    print('refusal', changed.error, changed.hint)
    print('refusal', refused.error, refused.hint)


if sys.argv[1:] == ['import']:
    for module in pkgutil.walk_packages(agentmall_client.__path__, 'agentmall_client.'):
        importlib.import_module(module.name)
else:
    main(*sys.argv[1:])
