export const NODE_TODO: string
export function nodeProblem(version?: string): string | undefined
export function requireNode(): void
