import { EnterOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { cutAtWord, type ItemGroup, type SearchItem } from '../search-items.ts'

function Marked({ text, keyword }: { text: string; keyword: string }) {
  return cutAtWord(text, keyword).map((part, i) => {
    const key = `${i}${part.text}`
    return part.hit ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>
  })
}

interface RowProps {
  id: string
  item: SearchItem
  keyword: string
  active: boolean
  onHover: () => void
  onOpen: () => void
}

function ResultRow({ id, item, keyword, active, onHover, onOpen }: RowProps) {
  const ref = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <Link
      ref={ref}
      id={id}
      to={item.to}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={
        active
          ? 'search-row round-6 main-text high-36 flex baseline gap-12 search-row-active tint-fill'
          : 'search-row round-6 main-text high-36 flex baseline gap-12'
      }
      onMouseMove={onHover}
      onClick={onOpen}
    >
      <span className="search-row-title cut">
        <Marked text={item.title} keyword={keyword} />
      </span>
      <span className="cut grow shrink small quiet">
        <Marked text={item.detail} keyword={keyword} />
      </span>
      <EnterOutlined className="search-row-enter fixed small quiet" />
    </Link>
  )
}

interface ResultListProps {
  id: string
  groups: readonly ItemGroup[]
  keyword: string
  index: number
  onChoose: (index: number) => void
  onOpen: (item: SearchItem) => void
}

export function ResultList({ id, groups, keyword, index, onChoose, onOpen }: ResultListProps) {
  let place = -1
  return (
    <div id={id} role="listbox" aria-label={t('搜索结果')} className="search-list">
      {groups.map(({ label, items }) => (
        <div key={label} role="presentation">
          <div className="search-group line-20 small quiet" aria-hidden>
            {label}
          </div>
          {items.map((item) => {
            place += 1
            const own = place
            return (
              <ResultRow
                key={item.kind + item.to}
                id={`${id}-${own}`}
                item={item}
                keyword={keyword}
                active={own === index}
                onHover={() => own !== index && onChoose(own)}
                onOpen={() => onOpen(item)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}
