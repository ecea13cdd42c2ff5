import { DeleteOutlined, StarOutlined } from '@ant-design/icons'
import { App, Button, Input, Popover, Space } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { describeError } from '#kit/states/describe-error.ts'
import { dropQuery, readQueries, type SavedQuery, saveQuery, searchOf } from '../saved-queries.ts'
import './debug.css'

const maxName = 40

/** Keeps the search on screen under a name and brings kept ones back. */
export function SavedQueriesButton() {
  const { message } = App.useApp()
  const [params, setParams] = useSearchParams()
  const [list, setList] = useState(readQueries)
  const [name, setName] = useState('')
  const [open, setOpen] = useState(false)
  const keep = (change: () => SavedQuery[]) => {
    try {
      setList(change())
    } catch (error) {
      void message.error(describeError(error).reason)
    }
  }
  const save = () => {
    if (name.trim() === '') return
    keep(() => saveQuery({ name: name.trim(), search: searchOf(params) }))
    setName('')
  }
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      content={
        <div className="saved-queries">
          <Space.Compact block>
            <Input
              aria-label="查询名称"
              placeholder="给当前查询起个名字"
              maxLength={maxName}
              value={name}
              onChange={(event) => setName(event.target.value)}
              onPressEnter={save}
            />
            <Button disabled={name.trim() === ''} onClick={save}>
              收藏
            </Button>
          </Space.Compact>
          {list.length === 0 ? (
            <p className="meta">收藏产品、设备、时间和筛选条件，下次一键取回；只保存在这个浏览器里。</p>
          ) : (
            <ul>
              {list.map((query) => (
                <li key={query.name}>
                  <button
                    type="button"
                    className="plain-button saved-query"
                    onClick={() => {
                      setOpen(false)
                      setParams(new URLSearchParams(query.search))
                    }}
                  >
                    {query.name}
                  </button>
                  <Button
                    type="text"
                    size="small"
                    icon={<DeleteOutlined />}
                    aria-label={`移出收藏 ${query.name}`}
                    onClick={() => keep(() => dropQuery(query.name))}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      }
    >
      <Button icon={<StarOutlined />}>收藏的查询</Button>
    </Popover>
  )
}
