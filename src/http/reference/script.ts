/** What pages with code do where scripts run. Without them everything is there as well. */

/** A button at each block of code, in the page's language; it copies what is shown. */
const COPY = `
  const isChinese = document.documentElement.lang.startsWith('zh')
  const [copy, copied, selected] = isChinese ? ['复制', '已复制', '已选中']
    : ['Copy', 'Copied', 'Selected']
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = copy
    button.addEventListener('click', async () => {
      const code = [...figure.querySelectorAll('pre:not([hidden]) code')][0]
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = copied
      } catch {
        getSelection().selectAllChildren(code)
        button.textContent = selected
      }
      setTimeout(() => { button.textContent = copy }, 1500)
    })
    figure.querySelector('figcaption').append(button)
  }`

export const COPY_SCRIPT = `{ ${COPY} }`

/** One choice for all samples, kept for the next visit. */
const SAMPLES = `
  const samples = [...document.querySelectorAll('[data-sample]')]
  const choices = [...document.querySelectorAll('[data-choose]')]
  const choose = (language) => {
    for (const one of samples) one.hidden = one.dataset.sample !== language
    for (const one of choices) {
      one.setAttribute('aria-pressed', String(one.dataset.choose === language))
    }
  }
  const NAME = 'agentmall.samples'
  let chosen = null
  try { chosen = localStorage.getItem(NAME) } catch {}
  choose(choices.some((one) => one.dataset.choose === chosen) ? chosen : 'curl')
  document.body.classList.add('choosing')
  for (const one of choices) {
    one.addEventListener('click', () => {
      // What was pressed stays where it is, although samples above it change their height.
      const before = one.getBoundingClientRect().top
      choose(one.dataset.choose)
      scrollBy({ top: one.getBoundingClientRect().top - before, behavior: 'instant' })
      try { localStorage.setItem(NAME, one.dataset.choose) } catch {}
    })
  }`

/** Names and titles first; where none fits, what the sections say. */
const SEARCH = `
  const label = document.querySelector('.filter')
  const input = label.querySelector('input')
  const main = document.querySelector('main')
  const found = [...main.querySelectorAll('[data-find]')]
  const links = [...document.querySelectorAll('.contents a')]
  const none = main.querySelector('.none span')
  const setHidden = (elements, isHidden) => {
    for (const one of elements) one.hidden = isHidden(one)
  }
  const targetOf = (link) => document.getElementById(link.hash.slice(1))
  const isGone = (target) => target?.closest('[hidden]') !== null
  const hits = () => found.filter((one) => !one.hidden)
  const show = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
    const isSearch = words.length > 0
    const fits = (text) => words.every((word) => text.includes(word))
    const byName = found.filter((one) => fits(one.dataset.find))
    const byText = () => found.filter((one) => fits(one.textContent.toLowerCase()))
    const fitting = new Set(byName.length > 0 ? byName : byText())
    main.classList.toggle('filtered', isSearch)
    setHidden(found, (one) => !fitting.has(one))
    setHidden(main.querySelectorAll('.group'),
      (group) => group.querySelector('[data-find]:not([hidden])') === null)
    setHidden(links, (link) => isSearch && isGone(targetOf(link)))
    for (const list of document.querySelectorAll('.contents ul')) {
      list.hidden = list.querySelector('a:not([hidden])') === null
      list.previousElementSibling.hidden = list.hidden
    }
    none.hidden = fitting.size > 0
    if (isSearch) scrollTo({ top: 0, behavior: 'instant' })
  }
  const clear = () => { input.value = ''; show() }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear()
    // On to the first hit, whose heading the keyboard goes on from.
    if (event.key === 'Enter') hits()[0]?.querySelector('.anchor').focus()
  })
  label.hidden = false
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input')) return
    event.preventDefault()
    input.focus()
  })
  // A link into what the search hides must lead somewhere.
  addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target && isGone(target)) {
      clear()
      target.scrollIntoView()
    }
  })`

/** The reference page also has samples to choose, a search, and a menu that closes. */
export const SCRIPT = `
(() => {
  ${COPY}
  ${SAMPLES}
  const menu = document.querySelector('.menu')
  menu.addEventListener('click', (event) => { if (event.target.closest('a')) menu.open = false })
  ${SEARCH}
})()
`
