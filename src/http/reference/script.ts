/** What pages with code do where scripts run. Without them everything is there as well. */

/** A button at each block of code. */
const COPY = `for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(figure.querySelector('code').textContent)
        button.textContent = 'Copied'
      } catch {
        getSelection().selectAllChildren(figure.querySelector('code'))
        button.textContent = 'Selected'
      }
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
    figure.querySelector('figcaption').append(button)
  }`

export const COPY_SCRIPT = `{ ${COPY} }`

/** The reference page also filters, and closes its menu. */
export const SCRIPT = `
(() => {
  ${COPY}
  const menu = document.querySelector('.menu')
  menu.addEventListener('click', (event) => { if (event.target.closest('a')) menu.open = false })

  const label = document.querySelector('.filter')
  const input = label.querySelector('input')
  const main = document.querySelector('main')
  const found = [...main.querySelectorAll('[data-find]')]
  const show = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
    main.classList.toggle('filtered', words.length > 0)
    let count = 0
    for (const one of found) {
      const fits = words.every((word) => one.dataset.find.includes(word))
      one.hidden = !fits
      if (fits) count += 1
    }
    for (const group of main.querySelectorAll('.group')) {
      group.hidden = group.querySelector('[data-find]:not([hidden])') === null
    }
    main.querySelector('.none').hidden = count > 0
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { input.value = ''; show() }
  })
  label.hidden = false
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input')) return
    event.preventDefault()
    input.focus()
  })
  // A link into what the filter hides must lead somewhere.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1))
    if (target?.closest('[hidden]')) {
      input.value = ''
      show()
      target.scrollIntoView()
    }
  })
})()
`
