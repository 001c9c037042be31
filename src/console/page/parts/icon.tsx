/** Line icons on a grid of 24, in the colour of their text. */
const PATHS = {
  start: 'M5 12h14M13 6l6 6-6 6',
  agents: 'M12 3v3M7 6h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2M9 11v2'
    + 'M15 11v2M9 21l1-3h4l1 3M2 11v3M22 11v3',
  live: 'M3 12h4l3-8 4 16 3-8h4',
  orders: 'M4 8h16l-1.5 11.5a1 1 0 0 1-1 .5h-11a1 1 0 0 1-1-.5zM8.5 8a3.5 3.5 0 0 1 7 0',
  earnings: 'M6 4l6 8 6-8M12 12v8M7 12h10M7 16h10',
  webhooks: 'M12 6.5a2.5 2.5 0 1 0-2.6 2.5L6.5 15M6 20a2.5 2.5 0 1 0 0-5M12 6.5l3.4 6.2M18 20a2.5'
    + ' 2.5 0 1 0-2.6-3.2M8.5 17.5H15',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20c1-4 4.5-5.5 8-5.5s7 1.5 8 5.5',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  check: 'M5 13l4.5 4.5L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19'
    + 'M19 5l-1.4 1.4M6.4 17.6L5 19',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  key: 'M14.5 9.5m-5 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0M11 13l-7 7M6 18l2 2M8.5 15.5l2 2',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  back: 'M9 14l-5-5 5-5M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  click: 'M9 3v3M3 9h3M5 5l2 2M13 5l-2 2M9 9l11 4-5 2-2 5z',
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>
)
