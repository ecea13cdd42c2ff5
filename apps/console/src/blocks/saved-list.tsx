import { DeleteOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Popover } from 'antd'
import { type ReactNode, useState } from 'react'
import './saved-list.css'

interface SavedListProps<T extends { name: string }> {
  list: readonly T[]
  /** Beside each name: what it is. */
  noteOf?: (one: T) => string
  /** What stands there while nothing is kept. */
  none: string
  /** Above the list. */
  head?: ReactNode
  onPick: (one: T) => void
  onDrop: (one: T) => void
  /** The button that opens it. */
  children: ReactNode
}

/** What somebody keeps under names of his own: picked with one click, dropped with another. */
export function SavedList<T extends { name: string }>(props: SavedListProps<T>) {
  const { list, noteOf, none, head, onPick, onDrop, children } = props
  const [open, setOpen] = useState(false)
  const pick = (one: T) => {
    setOpen(false)
    onPick(one)
  }
  const content = (
    <div className="saved-list stack gap-8">
      {head}
      {list.length === 0 && <p className="meta bare">{none}</p>}
      <ul className="bare-list">
        {list.map((one) => (
          <li key={one.name} className="row gap-8">
            <button
              type="button"
              className="plain-button column grow shrink start hover-fill"
              onClick={() => pick(one)}
            >
              <span className="cut">{one.name}</span>
              {noteOf && <span className="cut meta">{noteOf(one)}</span>}
            </button>
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('移出收藏 {name}', { name: one.name })}
              onClick={() => onDrop(one)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" open={open} onOpenChange={setOpen} content={content}>
      {children}
    </Popover>
  )
}
