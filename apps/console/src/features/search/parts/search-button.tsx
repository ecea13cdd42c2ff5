import { SearchOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { withTexts } from '#language/language.ts'
import './search-button.css'
import type { MenuScreen } from '../search-items.ts'

const loadDialog = () => withTexts('search', import('./search-dialog.tsx'))
const SearchDialog = lazy(async () => ({ default: (await loadDialog()).SearchDialog }))

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl+K, on a Mac Cmd+K, wherever the focus is. */
function useShortcut(act: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Who presses it may type at once after the K: the dialog is fetched meanwhile. A failure shows when it is opened.
      if (event.key === 'Control' || event.key === 'Meta') loadDialog().catch(() => undefined)
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [act])
}

interface SearchButtonProps {
  phone: boolean
  screens: readonly MenuScreen[]
  permitted: ReadonlySet<string>
}

/** The search of the header (look.md 1); the dialog comes when it is first asked for. */
export function SearchButton({ phone, screens, permitted }: SearchButtonProps) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const [open] = useState(() => () => setState('open'))
  useShortcut(open)
  return (
    <>
      {phone ? (
        <button
          type="button"
          className="plain-button header-button inline-row softer center size-16 round-6"
          aria-label={t('搜索')}
          onClick={open}
        >
          <SearchOutlined />
        </button>
      ) : (
        <button
          type="button"
          className="plain-button search-button inline-row gap-8 round-6 grey-fill"
          aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
          onClick={open}
        >
          <SearchOutlined />
          <span className="start size-13 cut grow">{t('搜索产品、设备、分组、页面')}</span>
          <kbd className="search-key bordered round-4 container-fill meta fixed">{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
        </button>
      )}
      {state !== 'never' && (
        <Suspense>
          <SearchDialog
            open={state === 'open'}
            screens={screens}
            permitted={permitted}
            onClose={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  )
}
