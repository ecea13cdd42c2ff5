import type { BusinessType } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'
import { t } from '@ithings/contract/text.ts'
import { Select, Tree, type TreeDataNode } from 'antd'
import { type ReactNode, useState } from 'react'
import { businessTypeOptions } from '#blocks/business-type.tsx'
import { useMemo } from '#language/use-memo.ts'
import {
  type ApiGroup,
  apiGroups,
  apiKeyOf,
  groupKey,
  groupStates,
  searchApis,
  toggleApi,
  toggleShownApis,
} from '../api-selection.ts'
import { ApiTitle } from './api-title.tsx'
import { Marked, RightsPanel } from './rights-panel.tsx'

function toTree(groups: readonly ApiGroup[], whole: readonly Api[], held: ReadonlySet<string>, keyword: string) {
  return groups.map(({ group, apis }): TreeDataNode => {
    const members = whole.filter((api) => api.group === group)
    const own = members.filter((api) => held.has(apiKeyOf(api))).length
    return {
      key: groupKey(group),
      title: (
        <span className="rights-row row gap-8 shrink">
          <span className="fixed main-text bold">
            <Marked text={group} keyword={keyword} />
          </span>
          <span className="meta">
            {own} / {members.length}
          </span>
        </span>
      ),
      children: apis.map((api) => ({ key: apiKeyOf(api), title: <ApiTitle api={api} keyword={keyword} /> })),
    }
  })
}

interface ApiPanelProps {
  apis: readonly Api[]
  held: ReadonlySet<string>
  onChange: (held: ReadonlySet<string>) => void
  readOnly: boolean
  notice?: ReactNode
}

/** APIs by group; search and operation type narrow what 全选 and the group boxes take. */
export function ApiPanel({ apis, held, onChange, readOnly, notice }: ApiPanelProps) {
  const [keyword, setKeyword] = useState('')
  const [businessType, setBusinessType] = useState<BusinessType>()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const groups = useMemo(() => apiGroups(apis), [apis])
  const shown = useMemo(() => searchApis(groups, { keyword, businessType }), [groups, keyword, businessType])
  const { checked, half } = useMemo(() => groupStates(shown, held), [shown, held])
  const keys = shown.map(({ group }) => groupKey(group))
  const searching = keyword.trim() !== ''

  return (
    <RightsPanel
      title={t('接口')}
      held={apis.filter((api) => held.has(apiKeyOf(api))).length}
      total={apis.length}
      keyword={keyword}
      onKeyword={setKeyword}
      placeholder={t('搜索接口名称、路径或分组')}
      filter={
        <Select
          allowClear
          className="fixed"
          style={{ width: 116 }}
          placeholder={t('操作类型')}
          aria-label={t('操作类型')}
          options={businessTypeOptions.map(({ value, label }) => ({ value, label: t(label) }))}
          value={businessType}
          onChange={(picked: BusinessType | undefined) => setBusinessType(picked)}
        />
      }
      notice={notice}
      narrowed={searching || businessType !== undefined}
      readOnly={readOnly}
      onAll={(on) => onChange(toggleShownApis(shown, held, on))}
      nothing={shown.length === 0}
      onClear={() => {
        setKeyword('')
        setBusinessType(undefined)
      }}
    >
      <Tree
        blockNode
        checkable
        checkStrictly
        selectable={false}
        virtual={false}
        disabled={readOnly}
        treeData={toTree(shown, apis, held, keyword)}
        checkedKeys={{ checked, halfChecked: half }}
        onCheck={(_keys, { node, checked: on }) => onChange(toggleApi(shown, held, String(node.key), on))}
        expandedKeys={searching ? keys : keys.filter((key) => !closed.has(key))}
        onExpand={(open) => setClosed(new Set(keys.filter((key) => !open.includes(key))))}
      />
    </RightsPanel>
  )
}
