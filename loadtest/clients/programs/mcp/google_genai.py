"""google-genai: its own conversion of each tool to a function declaration: URL KEY"""
import asyncio
import json
import sys

from google.genai import types
from google.genai._mcp_utils import mcp_to_gemini_tools
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from shop import STRANGER, print_key_refused, shop

# The API knows these formats of a text and answers 400 for a declaration with another.
FORMATS = {'enum', 'date-time'}


def connect(url: str, key: str) -> Client:
    http = create_mcp_http_client(headers={'Authorization': f'Bearer {key}'})
    return Client(streamable_http_client(f'{url}/mcp', http_client=http))


async def main(url: str, key: str) -> None:
    async with connect(url, key) as client:
        tools = (await client.list_tools()).tools
        print('tools', len(tools))

        async def call(name: str, arguments: dict) -> dict:
            return (await client.call_tool(name, arguments)).structured_content

        await shop(call)
    for tool in mcp_to_gemini_tools(tools):
        declared = tool.function_declarations[0]
        sent = declared.model_dump(mode='json', exclude_none=True)
        types.FunctionDeclaration.model_validate(sent)
        look(declared.name, sent['parameters'])
    print('besides', len(tools), 'function declarations')
    try:
        async with connect(url, STRANGER) as client:
            await client.list_tools()
    except Exception as refused:
        print_key_refused(refused)


def look(name: str, schema: dict) -> None:
    """What the API would refuse, in the schema and those inside it."""
    if schema.get('type') == 'STRING' and schema.get('format', 'enum') not in FORMATS:
        print('problem', name, 'format', schema['format'])
    for word in set(schema) & {'additional_properties', 'any_of'}:
        print('problem', name, word, json.dumps(schema[word])[:200])
    for inner in schema.get('properties', {}).values():
        look(name, inner)
    if 'items' in schema:
        look(name, schema['items'])


asyncio.run(main(*sys.argv[1:]))
