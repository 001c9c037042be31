/**
 * Who may do what on a Redis. docker-compose.yml has the same lines, which a test holds against
 * these; the embedded Redis is started with them.
 */
export type RedisUser = 'node' | 'operator' | 'replica' | 'health'

export const RIGHTS: Readonly<Record<RedisUser, string>> = {
  // Data, and what tells how well it is kept; nothing that empties, changes or stops a server.
  node: '~* &* +@all -@admin -@dangerous -function -script|flush -script|kill '
    + '+info +config|get',
  // By hand and for restore, forming a cluster and moving its slots.
  operator: '~* &* +@all -acl -module -debug',
  replica: '+psync +replconf +ping',
  // Has no password: it can see that the server answers, and nothing else.
  health: '+ping',
}

/** A line of a server's settings; `password` may be a variable that Compose puts in. */
export const userLine = (user: RedisUser, password?: string): string =>
  `user ${user} on ${password === undefined ? 'nopass' : `>${password}`} ${RIGHTS[user]}`

/**
 * Nobody gets in without a name. The rights are for the server itself: it loads its append-only
 * file as this user, and without them it drops what scripts and transactions wrote.
 */
export const NO_DEFAULT_USER = 'user default off ~* &* +@all'
