import manifest from '../package.json' with { type: 'json' }

/** The release, as clients and documents see it. */
export const VERSION: string = manifest.version
