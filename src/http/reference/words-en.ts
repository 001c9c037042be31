/** What the reference says around the table, in English; words-zh.ts has the same in Chinese. */
export const wordsEn = {
  title: 'agentmall API reference',
  description: 'Reference of the agentmall API: REST and MCP',
  heading: 'API reference',
  lead: 'Goods search, ordering, fulfilment and after-sales for AI agents. The same operations '
    + 'over REST and MCP.',
  formats: 'For programs and agents',
  markdown: 'this reference as Markdown',
  contents: 'Contents',
  guide: 'Guide',
  more: 'More',
  search: 'Search',
  searchHint: 'Search operations and errors',
  nothing: 'Nothing matches.',
  table: 'Table',
  anchor: 'Link to this section',
  sampleLanguage: 'Language of the samples',
  request: 'Request',
  success: 'Success',
  error: 'Error',
  headers: 'Headers',
  example: 'Example body',
  recorded: 'Answer 200, as a sandbox node gave it',
  sampled: 'Answer 200, made from the schema: no node has answered this yet',
  fieldsOfData: 'Fields of `data`',
  overMcp: 'The same over MCP',
  keyArgument: 'The Idempotency-Key is the argument `idempotency_key`.',
  noParameters: 'It takes no parameters.',
  required: 'required',
  needsKey: 'needs a key',
  open: 'open to anyone',
  restOnly: 'REST only',
  mcpTool: 'MCP tool',
  later: 'not in service yet',
  places: { path: 'Path', header: 'Header', query: 'Query', body: 'Body' },
  errors: 'Errors',
  errorsLead: 'Every error has a name, a code and an address.',
  whatToDo: 'What to do.',

  quickStart: 'Quick start',
  quickStartLead: 'From nothing to a parcel on its way. All you need is a shell with `curl`, '
    + 'Node.js or Python.',
  stepKey: 'Get a key. It costs nothing and needs no account.',
  trialKey: 'Trial key',
  stepKeep: 'Keep its `api_key` in a variable: the samples on this page read it from there.',
  variable: 'Variable',
  stepSearch: 'Search. Reading goods works without a key, too. Prices are integers in CNY fen.',
  stepOrder: 'Order with `product_id` and `merchant_id` of an item of the answer. Make one UUID '
    + 'for one purchase, and send the same one when you retry.',
  order: 'Order',
  stepPay: 'Open the `pay_url` of the answer in a browser and pay. In the sandbox no money moves, '
    + 'and the parcel then travels by itself.',
  stepFollow: 'Follow the order until it is delivered, every `poll_after_s` seconds.',
  follow: 'Follow',

  mcpLead: 'The same operations are tools of an MCP server (Streamable HTTP). Their '
    + '`structuredContent` equals the `data` of the REST answer. Without a key an agent can '
    + 'search, compare and read; ordering needs one.',
  withoutKey: 'Configuration without a key',
  withKey: 'Configuration with a key',
  tool: 'Tool',
  whatItDoes: 'What it does',

  authentication: 'Authentication',
  authenticationLead: 'Send the key in one of two headers. Over HTTPS only, outside your own '
    + 'machine.',
  keyIs: 'A key begins with `ak_`, is shown once, and stands for an agent: orders belong to the '
    + 'key that placed them and are invisible to every other. create_trial_key gives one without '
    + 'an account.',
  keyWrong: 'Operations marked “open to anyone” work without a key. A key that is wrong or revoked '
    + 'is refused with 401 and never served as if there were none.',

  answers: 'Answers',
  answersLead: 'Every REST answer is one JSON object. `code` is 0 on success, else a number that '
    + 'never changes its meaning. `agent_ref` is the public id of the calling agent, null without '
    + 'a key. Money is an integer in CNY fen (1500 is CNY 15.00); times are ISO 8601 in UTC.',
  answersError: 'On an error `data` says which one and what to do next. Problems of the input are '
    + 'listed all at once. The header X-Request-Id, on every answer, names the request.',
  answersStrict: 'Unknown query parameters and body fields are refused, so that a misspelt filter '
    + 'is never silently ignored.',

  idempotency: 'Idempotency',
  idempotencyLead: 'Placing an order takes the header `Idempotency-Key`: a UUID that you make once '
    + 'for one business action and send again with every retry of it. request_aftersale takes it, '
    + 'too, in a scope of its own.',
  idempotencyRules: [
    'Same key, same body: 200 with the order as it is now, `duplicate: true`, and the header '
      + '`Idempotent-Replayed: true`. From any node, at any time, over REST or MCP.',
    'Same key, other body: 422 idempotency_mismatch. Nothing of the earlier order is shown.',
    'A timeout or 503 says nothing about the outcome: send the same request again.',
    'A request that was refused as not valid leaves its key unused.',
    'Sold out (409 out_of_stock): the same request may be tried again with its key for 24 hours. '
      + 'Another body needs another key.',
  ],

  limits: 'Limits',
  limitsLead: 'Requests are taken from a bucket that fills at a steady rate. Calls that reach an '
    + 'affiliate platform also count against a daily quota (UTC days), one for each platform. A '
    + 'refused call costs nothing.',
  limitsHeads: ['Tier', 'Requests a second', 'Burst', 'Affiliate calls a day', 'Counted by'],
  none: 'none',
  byAgent: 'agent',
  byAddress: 'client address',
  limitsHeaders: 'Every answer says where you stand. After a 429 wait for `Retry-After` seconds.',
  limitsSizes: 'A body has at most 65,536 bytes. Pages of a search hold up to 50 items and reach '
    + 'to item 1,000: narrow the search instead of going further.',

  orderLife: 'The life of an order',
  orderLifeLead: 'An unpaid order closes by itself when its payment window is over. `events` in '
    + 'the answer of get_order_status tell its story, oldest first, and are never rewritten.',
  status: 'Status',
  mayBecome: 'May become',
  final: 'final',
  aftersaleLead: 'An after-sale has a way of its own. Before shipping request_aftersale refunds at '
    + 'once. After it, the order keeps its status until the refund is decided, and is not '
    + 'completed as long as the after-sale is open. `next_actions` in every answer names the tools '
    + 'that make sense now, with their arguments.',
  aftersale: 'After-sale',

  categories: 'Categories',
  categoriesLead: 'The values of `category_id`.',
  category: 'Category',
  chineseName: 'Chinese name',
}

export type Words = typeof wordsEn
