import { SearchOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Input, type InputRef, Modal, Skeleton } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { mostLetters, searchQuery } from '../queries.ts'
import { clearRecentItems, noteRecentItem, readRecentItems } from '../recent-items.ts'
import {
  findScreens,
  groupItems,
  type ItemGroup,
  itemKindLabels,
  type MenuScreen,
  mayOpen,
  type SearchItem,
  screenItem,
} from '../search-items.ts'
import { ResultList } from './result-list.tsx'
import './search-dialog.css'
import { useChoice } from './use-choice.ts'

/** Fewer questions while somebody types; short enough not to be felt. */
const typingPause = 120

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : typingPause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Before anything is typed: what was opened last, and where one can go. */
function startGroups(recent: SearchItem[], screens: readonly MenuScreen[]): ItemGroup[] {
  const known = new Set(recent.map(({ to }) => to))
  const others = screens.map(screenItem).filter(({ to }) => !known.has(to))
  return [
    { label: t('最近打开'), items: recent },
    { label: t(itemKindLabels.screen, { context: 'menu' }), items: others },
  ].filter(({ items }) => items.length > 0)
}

interface SearchDialogProps extends Opened {
  screens: readonly MenuScreen[]
  permitted: ReadonlySet<string>
}

export function SearchDialog({ open, onClose, ...rest }: SearchDialogProps) {
  const phone = usePhone()
  return (
    <Modal
      open={open}
      onCancel={onClose}
      footer={null}
      closable={false}
      width={phone ? '100%' : 640}
      className={phone ? 'search-dialog search-dialog-phone' : 'search-dialog'}
      title={<span className="visually-hidden">{t('全局搜索')}</span>}
      destroyOnHidden
    >
      <SearchPanel phone={phone} onClose={onClose} {...rest} />
    </Modal>
  )
}

interface MissingProps {
  query: UseQueryResult
  typed: string
  waiting: boolean
  /** Something stands in the list already. */
  shown: boolean
}

/** What stands where nothing was found, or not yet. */
function Missing({ query, typed, waiting, shown }: MissingProps) {
  if (query.isError && typed !== '') return <QueryError compact subject={t('搜索结果')} query={query} />
  if (shown) return null
  if (waiting) return <Skeleton active title={false} paragraph={{ rows: 4 }} style={{ padding: '16px 8px' }} />
  if (typed === '') return null
  return (
    <StateBlock
      compact
      variant="no-match"
      title={t('没有找到“{typed}”', { typed })}
      text={t('换一个名称、别名或 ID 再试；只显示你的角色可以查看的内容。')}
    />
  )
}

function SearchPanel({ phone, screens, permitted, onClose }: Omit<SearchDialogProps, 'open'> & { phone: boolean }) {
  const id = useId()
  const navigate = useNavigate()
  const input = useRef<InputRef>(null)
  const [text, setText] = useState('')
  const [recent, setRecent] = useState(() => readRecentItems().filter(({ kind }) => mayOpen(kind, permitted)))
  const typed = text.trim()
  const keyword = useSettled(typed)
  const query = useQuery(searchQuery(keyword))
  const hits = keyword === '' ? undefined : query.data?.list
  const groups = useMemo(
    () =>
      typed === '' ? startGroups(recent, screens) : groupItems(findScreens(screens, typed), hits ?? [], permitted),
    [typed, hits, recent, screens, permitted],
  )
  const items = groups.flatMap((group) => group.items)
  const forget = () => {
    clearRecentItems()
    setRecent([])
    input.current?.focus()
  }
  const note = (item: SearchItem) => {
    noteRecentItem(item)
    onClose()
  }
  const settled = typed === '' || (keyword === typed && !query.isPending && !query.isPlaceholderData)
  const { index, choose, onKeyDown } = useChoice({ items, list: typed, settled }, (item) => {
    note(item)
    void navigate(item.to)
  })
  // The dialog takes the focus when it has opened; the field wants it whenever the panel is there.
  useEffect(() => input.current?.focus(), [])
  const waiting = typed !== '' && (keyword !== typed || query.isFetching)
  const shown = items.length > 0
  return (
    <div className="search-panel">
      <div className="search-head line-bottom pad-x-8 row">
        <Input
          ref={input}
          autoFocus
          variant="borderless"
          size="large"
          prefix={<SearchOutlined />}
          placeholder={t('名称、别名、ID 或页面')}
          maxLength={mostLetters}
          value={text}
          allowClear
          role="combobox"
          aria-label={t('搜索')}
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown ? `${id}-list-${index}` : undefined}
          aria-busy={waiting}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
        {phone && (
          <button type="button" className="plain-button fixed link high-44" style={{ minWidth: 56 }} onClick={onClose}>
            {t('取消')}
          </button>
        )}
      </div>
      <div className="search-body pad-8">
        {shown && (
          <ResultList id={`${id}-list`} groups={groups} keyword={typed} index={index} onChoose={choose} onOpen={note} />
        )}
        <Missing query={query} typed={typed} waiting={waiting} shown={shown} />
      </div>
      <SearchFoot
        phone={phone}
        found={typed === '' || waiting ? undefined : items.length}
        onForget={typed === '' && recent.length > 0 ? forget : undefined}
      />
    </div>
  )
}

interface SearchFootProps {
  phone: boolean
  /** How many results there are; undefined: nothing was asked, or it is not known yet. */
  found: number | undefined
  /** Undefined: there is nothing to forget. */
  onForget: (() => void) | undefined
}

function SearchFoot({ phone, found, onForget }: SearchFootProps) {
  return (
    <div className="search-foot row between line-above small quiet">
      {!phone && (
        <span className="search-hints">
          <kbd className="search-key bordered round-4 container-fill meta fixed">↑</kbd>
          <kbd className="search-key bordered round-4 container-fill meta fixed">↓</kbd> {t('选择')}{' '}
          <kbd className="search-key bordered round-4 container-fill meta fixed">Enter</kbd> {t('打开')}{' '}
          <kbd className="search-key bordered round-4 container-fill meta fixed">Esc</kbd> {t('关闭')}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {found !== undefined && t('{count} 个结果', { count: found })}
      </span>
      {onForget && (
        <button type="button" className="plain-button to-end softer high-32" onClick={onForget}>
          {t('清除最近打开')}
        </button>
      )}
    </div>
  )
}
