/** What the reference says around the table, in English and in Chinese. */
import type { PerLocale } from '../../site/page.ts'

const wordsEn = {
  title: 'agentmall API reference',
  description: 'Reference of the agentmall API: REST and MCP',
  heading: 'API reference',
  lead: 'Goods search, ordering, fulfilment and after-sales for AI agents, over REST and, '
    + 'for what a purchase needs, as tools over MCP.',
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
  locations: { path: 'Path', header: 'Header', query: 'Query', body: 'Body' },
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

  mcpLead: '{tools} of the {operations} operations are tools of an MCP server (Streamable HTTP), '
    + 'under the same names. Their `structuredContent` equals the `data` of the REST answer. '
    + 'Without a key an agent can search, compare and read; ordering needs one.',
  mcpLacks: 'Only over REST: {names}; and of the tools the parameters {fields}.',
  withoutKey: 'Configuration without a key',
  withKey: 'Configuration with a key',
  listComma: ', ',
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
    'An order refused for its goods (out_of_stock, qty_over_cap, merchant_mismatch, not_found, '
      + 'price_changed, owner_limit) may be tried again unchanged with its key for 24 hours. '
      + 'Corrected, it is another body: it needs another key.',
  ],

  limits: 'Limits',
  limitsLead: 'Requests are taken from a bucket that fills at a steady rate. Calls that reach an '
    + 'affiliate platform also count against a daily quota (UTC days), one for each platform. A '
    + 'refused call costs nothing.',
  limitsHeads: ['Tier', 'Requests a second', 'Burst', 'Affiliate calls a day', 'Counted by'],
  limitsLocal: 'A sandbox that listens on the loopback address, behind no proxy, is its '
    + 'developer\'s own: there callers without a key have {rate} requests a second, and a burst of '
    + '{burst}.',
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

  events: 'Events',
  eventsLead: 'Nobody has to poll: what happens to a key\'s orders, links and commissions is sent '
    + 'to a url (create_webhook), or waited for in a feed (list_events). An event has one id for '
    + 'ever, in both.',
  listen: 'While you develop, without a public address',
  webhook: 'A webhook',
  eventsProof: 'First the url gets a signed `{"type": "webhook.challenge", "challenge": "…"}` and '
    + 'answers with `{"challenge": "…"}`: nothing else is sent before.',
  eventsSignature: 'Every message is signed as Standard Webhooks 1.0 has it, by the secret that '
    + 'create_webhook shows once: verify it with a library of standardwebhooks.com.',
  event: 'Event',
  when: 'When',
  eventsDelivery: 'Answer with 2xx within 10 s. Anything else is tried again, up to 11 times '
    + 'within a day. Events of one order come in order, each at least once: keep ids that you have '
    + 'handled.',
  eventsFeed: 'The feed answers at once, or waits up to `wait_ms`; send `next_cursor` as `after` '
    + 'to go on, at any node. With `Accept: text/event-stream` it comes as server-sent events, and '
    + '`Last-Event-ID` goes on.',
  eventsFamilies: 'Ask for a name, a family such as `order.*`, or `*`:',

  categories: 'Categories',
  categoriesLead: 'The values of `category_id`.',
  category: 'Category',
  chineseName: 'Chinese name',
}

export type Words = typeof wordsEn

const wordsZh: Words = {
  title: 'agentmall API 文档',
  description: 'agentmall API 文档：REST 与 MCP',
  heading: 'API 文档',
  lead: '面向 AI 智能体的商品搜索、下单、履约与售后：REST 提供全部操作，购买所需的也是 MCP 工具。',
  formats: '供程序与智能体读取',
  markdown: '本文档的 Markdown 版本',
  contents: '目录',
  guide: '指南',
  more: '更多',
  search: '搜索',
  searchHint: '搜索操作与错误',
  nothing: '没有匹配的内容。',
  table: '表格',
  anchor: '本节链接',
  sampleLanguage: '示例语言',
  request: '请求',
  success: '成功',
  error: '错误',
  headers: '请求头',
  example: '示例内容',
  recorded: '应答 200，取自沙箱节点',
  sampled: '应答 200，由结构生成：尚无节点应答过',
  fieldsOfData: '`data` 的字段',
  overMcp: '用 MCP 调用',
  keyArgument: 'Idempotency-Key 在 MCP 中是参数 `idempotency_key`。',
  noParameters: '没有参数。',
  required: '必填',
  needsKey: '需要密钥',
  open: '无需密钥',
  restOnly: '仅 REST',
  mcpTool: 'MCP 工具',
  locations: { path: '路径', header: '请求头', query: '查询参数', body: '请求体' },
  errors: '错误',
  errorsLead: '每种错误都有名称、代码和链接。',
  whatToDo: '处理方法：',

  quickStart: '快速开始',
  quickStartLead: '从零到包裹上路，只需一个终端，以及 `curl`、Node.js 或 Python。',
  stepKey: '领取密钥。免费，无需账户。',
  trialKey: '试用密钥',
  stepKeep: '把其中的 `api_key` 存入变量，本页示例都从该变量读取。',
  variable: '变量',
  stepSearch: '搜索。读取商品也可以不带密钥。价格是以分为单位的整数（人民币）。',
  stepOrder: '用应答中某件商品的 `product_id` 与 `merchant_id` 下单。每次购买生成一个 UUID，重试时发送同一个。',
  order: '下单',
  stepPay: '在浏览器中打开应答里的 `pay_url` 并付款。沙箱不会真实扣款，随后包裹自动发出。',
  stepFollow: '每隔 `poll_after_s` 秒查询订单，直到送达。',
  follow: '跟踪',

  mcpLead: '{operations} 个操作中有 {tools} 个也是 MCP 服务器（Streamable HTTP）的工具，名称相同，'
    + '其 `structuredContent` 等于 REST 应答的 `data`。没有密钥的智能体可以搜索、比较和读取；下单需要密钥。',
  mcpLacks: '仅 REST 提供：{names}；以及工具的参数 {fields}。',
  withoutKey: '不带密钥的配置',
  withKey: '带密钥的配置',
  listComma: '、',
  tool: '工具',
  whatItDoes: '用途',

  authentication: '身份验证',
  authenticationLead: '密钥放在以下两个请求头之一。除本机外只可通过 HTTPS 发送。',
  keyIs: '密钥以 `ak_` 开头，只显示一次，代表一个智能体：订单属于下单的密钥，其他密钥看不到。'
    + '用 create_trial_key 可以领取一个，无需账户。',
  keyWrong: '标有“无需密钥”的操作可以不带密钥。错误或已吊销的密钥会被拒绝（401），不会当作没有密钥处理。',

  answers: '应答',
  answersLead: '每个 REST 应答都是一个 JSON 对象。`code` 为 0 表示成功，其他数字的含义永不改变。'
    + '`agent_ref` 是调用方智能体的公开编号，没有密钥时为 null。金额是以分为单位的整数（1500 即 15.00 元）；'
    + '时间为 UTC，格式 ISO 8601。',
  answersError: '出错时 `data` 说明是哪种错误、下一步怎么做；输入中的问题一次全部列出。'
    + '每个应答的 X-Request-Id 头标明该请求。',
  answersStrict: '未知的查询参数和字段会被拒绝，拼错的筛选条件不会被悄悄忽略。',

  idempotency: '幂等',
  idempotencyLead: '下单需要请求头 `Idempotency-Key`：每个业务动作生成一个 UUID，每次重试都发送同一个。'
    + 'request_aftersale 同样需要，作用域独立。',
  idempotencyRules: [
    '键相同、内容相同：200，返回订单当前状态、`duplicate: true` 和响应头 `Idempotent-Replayed: true`。'
      + '任何节点、任何时间、REST 或 MCP 均如此。',
    '键相同、内容不同：422 idempotency_mismatch，不显示先前订单的任何内容。',
    '超时或 503 不说明结果：请原样重发。',
    '因内容无效被拒绝的请求不占用其键。',
    '因商品被拒绝的订单（out_of_stock、qty_over_cap、merchant_mismatch、not_found、price_changed、'
      + 'owner_limit）：24 小时内可以用同一个键原样重试；改正后内容不同，需要新的键。',
  ],

  limits: '限额',
  limitsLead: '请求从匀速补充的令牌桶中扣除。访问联盟平台的调用还计入每日配额（按 UTC 日），'
    + '每个平台各自计算。被拒绝的调用不计费、不计数。',
  limitsHeads: ['等级', '每秒请求', '突发', '每日联盟调用', '计数对象'],
  limitsLocal: '沙箱若只监听本机回环地址且前面没有代理，即视为开发者自用：没有密钥的调用方每秒 {rate} 次请求，突发 {burst} 次。',
  none: '无',
  byAgent: '智能体',
  byAddress: '客户端地址',
  limitsHeaders: '每个应答都说明当前余量。收到 429 后请等待 `Retry-After` 秒。',
  limitsSizes: '请求体最多 65,536 字节。搜索每页最多 50 件，最远到第 1,000 件：请缩小搜索范围，不要继续翻页。',

  orderLife: '订单的生命周期',
  orderLifeLead: '未付款的订单在付款时限过后自动关闭。get_order_status 应答中的 `events` 按时间先后记录全过程，'
    + '不会改写。',
  status: '状态',
  mayBecome: '可变为',
  final: '终态',
  aftersaleLead: '售后有自己的流程。发货前 request_aftersale 立即退款；发货后订单保持原状态，直到退款有结果，'
    + '售后进行期间不会完成。每个应答中的 `next_actions` 列出此刻可用的工具及其参数。',
  aftersale: '售后',

  events: '事件',
  eventsLead: '无需轮询：密钥名下订单、链接和佣金的变化，可推送到一个网址（create_webhook），也可在事件流中等待'
    + '（list_events）。同一事件在两处的 id 永远相同。',
  listen: '开发时无需公网地址',
  webhook: '创建 Webhook',
  eventsProof: '网址首先收到带签名的 `{"type": "webhook.challenge", "challenge": "…"}`，须以 '
    + '`{"challenge": "…"}` 应答；在此之前不会发送其他内容。',
  eventsSignature: '每条消息按 Standard Webhooks 1.0 签名，密钥由 create_webhook 仅显示一次：请用 '
    + 'standardwebhooks.com 的程序库验签。',
  event: '事件',
  when: '何时发生',
  eventsDelivery: '请在 10 秒内以 2xx 应答，否则会重试，一天内最多 11 次。同一订单的事件按顺序到达，每个至少一次：'
    + '请记录已处理的 id。',
  eventsFeed: '事件流立即应答，或最多等待 `wait_ms`；把 `next_cursor` 作为 `after` 传回即可继续，任何节点均可。'
    + '请求头 `Accept: text/event-stream` 则以服务器推送事件返回，用 `Last-Event-ID` 续传。',
  eventsFamilies: '可订阅单个名称、一类（如 `order.*`）或全部 `*`：',

  categories: '类目',
  categoriesLead: '`category_id` 的取值。',
  category: '类目',
  chineseName: '中文名',
}

export const WORDS: PerLocale<Words> = { en: wordsEn, zh: wordsZh }

/** Titles of the operations in Chinese, for the documents. */
export const TITLES_ZH: Readonly<Record<string, string>> = {
  search_goods: '搜索可下单商品',
  get_goods_detail: '读取商品详情',
  create_order: '下单',
  get_order_status: '查询订单',
  get_logistics: '跟踪包裹',
  request_aftersale: '申请退款或退货',
  cps_smart_search: '全平台智能搜索',
  cps_compare: '比较 2 至 6 件商品',
  shelf_search: '搜索精选货架',
  shelf_item: '读取货架商品',
  cps_search_shops: 'A 商城：搜索店铺',
  cps_item_info: 'A 商城：商品详情',
  cps_tpwd: 'A 商城：口令与链接',
  cps_mallb_goods_search: 'B 商城：搜索商品',
  cps_mallb_convert: 'B 商城：购买链接',
  cps_mallb_orders: 'B 商城：我的订单',
  cps_mallc_goods_search: 'C 商城：搜索商品',
  cps_mallc_convert: 'C 商城：购买链接',
  cps_mallc_orders: 'C 商城：我的订单',
  cps_food_convert: '外卖领券链接',
  preview_order: '预览订单',
  cancel_order: '取消订单',
  create_trial_key: '领取试用密钥',
  list_aftersales: '售后申请列表',
  cancel_aftersale: '撤回售后申请',
  list_orders: '订单列表',
  list_categories: '类目列表',
  list_events: '跟踪事件',
  create_webhook: '创建 Webhook',
  list_webhooks: 'Webhook 列表',
  update_webhook: '修改 Webhook',
  delete_webhook: '删除 Webhook',
  rotate_webhook_secret: '轮换 Webhook 密钥',
  test_webhook: '测试 Webhook',
  list_webhook_attempts: '推送记录',
  resend_webhook: '重新推送',
}
