"""openai-agents: each tool as a strict function, and called with every field: URL KEY"""
import asyncio
import json
import sys

from agents.mcp import MCPServerStreamableHttp, MCPUtil
from agents.tool_context import ToolContext
from shop import STRANGER, examples, print_key_refused, shop


def server(url: str, key: str) -> MCPServerStreamableHttp:
    return MCPServerStreamableHttp(params={
        'url': f'{url}/mcp', 'headers': {'Authorization': f'Bearer {key}'}, 'timeout': 30,
    })


async def main(url: str, key: str) -> None:
    async with server(url, key) as mcp:
        tools = await mcp.list_tools()
        print('tools', len(tools))

        async def call(name: str, arguments: dict) -> dict:
            result = await mcp.call_tool(name, arguments)
            return getattr(result, 'structured_content', None) or result.structuredContent

        await shop(call)
        functions = [MCPUtil.to_function_tool(tool, mcp, True) for tool in tools]
        strict = [one for one in functions if one.strict_json_schema]
        print('besides', len(strict), 'strict functions')
        if len(strict) != len(tools):
            print('problem not strict:', {one.name for one in functions} - {one.name for one in strict})
        for filler in (None, ''):
            await call_strict(functions, url, filler)
    try:
        async with server(url, STRANGER) as mcp:
            await mcp.list_tools()
    except Exception as refused:
        print_key_refused(refused)


async def call_strict(functions: list, url: str, filler: str | None) -> None:
    """Strict mode has the model send each field: what it leaves out is null, or "" as a text."""
    example_of, sent = examples(url), 0
    for function in functions:
        fields = function.params_json_schema['properties']
        arguments = json.dumps({
            name: filler if schema.get('type') == 'string' else None
            for name, schema in fields.items()} | example_of[function.name])
        context = ToolContext(None, tool_name=function.name, tool_call_id='1',
                              tool_arguments=arguments)
        answer = json.dumps(await function.on_invoke_tool(context, arguments), default=str)
        sent += 1
        if 'invalid_request' in answer:
            print('problem', function.name, json.dumps(filler), answer[:300])
    print('besides', sent, 'called with every field, what is left out as', json.dumps(filler))


asyncio.run(main(*sys.argv[1:]))
