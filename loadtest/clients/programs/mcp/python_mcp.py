"""The official Python SDK: python_mcp.py URL KEY"""
import asyncio
import sys

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from shop import STRANGER, fill, print_key_refused, shop


def connect(url: str, key: str, mode: str = 'auto') -> Client:
    http = create_mcp_http_client(headers={'Authorization': f'Bearer {key}'})
    return Client(streamable_http_client(f'{url}/mcp', http_client=http), mode=mode, cache=None)


async def main(url: str, key: str) -> None:
    for mode in ('legacy', 'auto'):
        async with connect(url, key, mode) as client:
            tools = (await client.list_tools()).tools
            print('tools', len(tools))
            print('besides', client.protocol_version)

            async def call(name: str, arguments: dict) -> dict:
                return (await client.call_tool(name, arguments)).structured_content

            await shop(call)
            if mode == 'auto':
                schemas = {tool.name: tool.input_schema for tool in tools}
                for filler in (None, '', []):
                    await fill(call, schemas, url, filler)
    try:
        async with connect(url, STRANGER) as client:
            await client.list_tools()
    except Exception as refused:
        print_key_refused(refused)


asyncio.run(main(*sys.argv[1:]))
