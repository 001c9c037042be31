export function compiledEntry(cache?: string, root?: string): Promise<string>
export function stateOf(root: string): string
