import { render } from 'preact'
import './styles/theme.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/forms.css'
import './styles/pages.css'
import './styles/orders.css'
import { App } from './app.tsx'
import { startPreferences } from './preferences.ts'
import { startRouter } from './router.ts'

startPreferences()
startRouter()
const root = document.getElementById('app')
if (root) render(<App />, root)
