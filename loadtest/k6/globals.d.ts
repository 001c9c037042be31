/** Part of k6 since 1.0; its published types do not have it yet. */
declare const crypto: { randomUUID(): string }
