"""What each Python client does with the tools, whichever library calls them."""
import json
import urllib.request
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

Call = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]

STRANGER = 'ak_' + '0' * 32
RECEIVER = {
    'name': '张三', 'phone': '13800001234', 'province': '浙江省', 'city': '杭州市',
    'district': '西湖区', 'address': '文三路 1 号',
}


async def shop(call: Call) -> None:
    """Orders, orders the same again, and changes it under the same key."""
    found = await call('search_goods', {'q': '杯', 'page_size': 5})
    item = found['items'][0]
    order = {
        'idempotency_key': str(uuid4()), 'merchant_id': item['merchant_id'],
        'product_id': item['product_id'], 'qty': 1, 'receiver': RECEIVER,
    }
    print('order', (await call('create_order', order))['order_no'])
    again = await call('create_order', order)
    print('again', again['order_no'], again['duplicate'])
    changed = (await call('create_order', {**order, 'qty': 2}))['error']
    print('refusal', changed['error'], changed['hint'])


def print_key_refused(error: BaseException) -> None:
    """What the user of a wrong key is told."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    print('refusal', 'key_invalid', ' '.join(str(error).split()))


def examples(url: str) -> dict[str, dict[str, Any]]:
    """The arguments of each operation as the OpenAPI document shows them."""
    with urllib.request.urlopen(f'{url}/openapi.json', timeout=30) as answer:
        document = json.load(answer)
    found = {}
    for operations in document['paths'].values():
        for operation in operations.values():
            given = {one['name']: one['example'] for one in operation.get('parameters', [])
                     if 'example' in one}
            content = operation.get('requestBody', {}).get('content', {})
            given |= content.get('application/json', {}).get('example', {})
            if given.pop('Idempotency-Key', None):
                given['idempotency_key'] = str(uuid4())
            found[operation['operationId']] = given
    return found


async def fill(call: Call, schemas: dict[str, dict[str, Any]], url: str, filler: Any) -> None:
    """Sends a filler in each optional field of each tool: none may be refused as invalid."""
    example_of, sent = examples(url), 0
    for name, schema in schemas.items():
        optional = [field for field, inner in schema.get('properties', {}).items()
                    if field not in schema.get('required', [])
                    and (filler is None or takes(inner, filler))]
        sent += len(optional)
        arguments = dict.fromkeys(optional, filler) | example_of[name]
        error = (await call(name, arguments)).get('error')
        if isinstance(error, dict) and error['error'] == 'invalid_request':
            print('problem', name, json.dumps(filler), json.dumps(error.get('fields')))
    print('besides', json.dumps(filler), 'in', sent, 'optional fields of', len(schemas), 'tools')


def takes(schema: dict[str, Any], filler: Any) -> bool:
    """Whether the filler is of the field's type, as a model would choose it."""
    wanted = {str: 'string', list: 'array'}[type(filler)]
    return schema.get('type') == wanted and 'enum' not in schema
