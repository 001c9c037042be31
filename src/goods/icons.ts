/** A line drawing for each category, on a field of 24 by 24. */
export const CATEGORY_ICONS: readonly string[] = [
  // phones, computers, accessories, appliances, household, kitchen
  'M7 2h10v20H7zM11 19h2',
  'M4 5h16v11H4zM2 20h20M9 16v4M15 16v4',
  'M4 14a8 8 0 0 1 16 0M3 14h4v6H3zM17 14h4v6h-4z',
  'M5 3h14v18H5zM5 8h14M12 17.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM8 5.5h2',
  'M5 8h14l-1.5 13h-11zM8 8a4 4 0 0 1 8 0',
  'M4 11h14v6a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zM18 12h4M8 8V4M12 8V3M16 8V4',
  // textiles, furniture, clothes, shoes and bags, jewellery, beauty
  'M3 19v-9h18v9M3 16h18M6 10V6h12v4',
  'M5 12V6h14v6M3 12h4v4h10v-4h4v7H3zM6 19v2M18 19v2',
  'M8 3l4 2 4-2 6 4-3 4-2-1v11H7V10l-2 1-3-4z',
  'M4 8h16v12H4zM9 8V6a3 3 0 0 1 6 0v2M4 13h16',
  'M12 21a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM9 4h6l2 3-5 3-5-3z',
  'M9 10h6v11H9zM10 10V5l4-2v7M9 14h6',
  // washing, snacks, drinks, alcohol, fresh food, mother and baby
  'M9 3h5v4M9 5h8M8 9h8l1 12H7zM9.5 14h5',
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9h.1M14 8h.1M15 14h.1M10 15h.1',
  'M6 8h12l-1.5 13h-9zM5 8h14M13 8l2-6h3',
  'M8 3h8l-1 8a3 3 0 0 1-6 0zM12 14v6M8 21h8',
  'M12 7c-5-3-9 1-8 6s4 9 8 7c4 2 7-2 8-7s-3-9-8-6zM12 7c0-3 1-4 3-5',
  'M9 9h6l1 3v9H8v-9zM10 9V6h4v3M10.5 6c0-4 3-4 3 0M8 15h4M8 18h4',
  // toys, books, sports, cars, pets, health
  'M3 13h8v8H3zM13 13h8v8h-8zM8 4h8v8H8z',
  'M4 4h7l1 1 1-1h7v15h-7l-1 1-1-1H4zM12 5v15',
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3v18'
    + 'M5.5 6a9 9 0 0 0 0 12M18.5 6a9 9 0 0 1 0 12',
  'M3 16v-4l3-1 2-5h8l2 5 3 1v4zM7.5 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z'
    + 'M16.5 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  'M12 20c-5 0-6-4-3-6l3-3 3 3c3 2 2 6-3 6zM6 11h.1M9.5 6h.1M14.5 6h.1M18 11h.1',
  'M10 3h4v7h7v4h-7v7h-4v-7H3v-4h7z',
]
