/**
 * What a payer's browser runs while a payment is awaited: it counts down, and asks whether the
 * order was paid elsewhere or is over, until it is or some time after the window. Without scripts
 * the page says when it was opened, and a link looks again.
 */
export const CASHIER_SCRIPT = `
(() => {
  const SOON_MS = 3000, LATER_MS = 10000, SOON_TIMES = 100, AFTER_MS = 60000, PATIENCE_MS = 10000
  const { left, state, again } = document.querySelector('main [data-left]').dataset
  const clock = document.querySelector('.left')
  const end = Date.now() + Number(left)
  const two = (number) => String(number).padStart(2, '0')
  let asked = 0, timer, wasOpen = true
  const show = () => {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    const time = two(Math.floor(seconds / 60)) + ':' + two(seconds % 60)
    clock.textContent = clock.dataset.words.replace('{time}', time)
    const isOpen = seconds > 0
    if (wasOpen && !isOpen) ask()
    wasOpen = isOpen
  }
  const wait = () => {
    clearTimeout(timer)
    if (Date.now() > end + AFTER_MS) return
    timer = setTimeout(ask, asked < SOON_TIMES ? SOON_MS : LATER_MS)
  }
  async function ask() {
    clearTimeout(timer)
    try {
      if (!document.hidden) {
        asked += 1
        const answer = await fetch(state, {
          cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS),
        })
        if (answer.ok && (await answer.json()).phase !== 'pending') return location.replace(again)
      }
    } catch {}
    wait()
  }
  document.addEventListener('visibilitychange', () => { if (!document.hidden) ask() })
  show()
  setInterval(show, 1000)
  wait()
})()
`
