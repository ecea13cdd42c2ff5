import { PlusOutlined } from '@ant-design/icons'
import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { Fragment } from 'react'
import { itemAnchor, triggerProducts, useConditionEdit, useEditor } from '../editor-context.ts'
import {
  append,
  changeItem,
  groupItem,
  hasRoom,
  type Joint,
  jointOf,
  removeItem,
  setJoint,
  setJointAt,
} from '../logic/condition-tree.ts'
import type { ConditionItem } from '../logic/draft.ts'
import { newCondition } from '../logic/edit-condition.ts'
import { BlockCard } from '../parts/block-card.tsx'
import { FieldNotes } from '../parts/field.tsx'
import { ConditionRow } from './condition-row.tsx'

export function ConditionCard() {
  const { draft } = useEditor()
  const edit = useConditionEdit()
  const { conditions } = draft
  const product = triggerProducts(draft)[0] ?? ''
  const fresh = () => newCondition('property', product)
  return (
    <BlockCard
      part="condition"
      badge={t('且')}
      word="AND"
      title={t('条件')}
      hint={conditions.length > 0 ? t('最多嵌套 {depth} 层', { depth: sceneLimits.conditionDepth }) : t('可选')}
      extra={
        <>
          <Button
            type="text"
            icon={<PlusOutlined />}
            disabled={!hasRoom(conditions)}
            onClick={() => edit((list) => append(list, fresh()))}
          >
            {t('添加条件')}
          </Button>
          <Button
            type="text"
            icon={<PlusOutlined />}
            disabled={!hasRoom(conditions, 3)}
            onClick={() => edit((list) => append(list, groupItem([fresh(), fresh()], 'or')))}
          >
            {t('添加条件组')}
          </Button>
        </>
      }
    >
      {conditions.length === 0 ? (
        <p className="scene-empty quiet">{t('没有条件：一触发就执行动作。')}</p>
      ) : (
        <ConditionList list={conditions} parent={undefined} depth={0} />
      )}
      <FieldNotes item="condition" fields={['']} />
    </BlockCard>
  )
}

const words: Record<Joint, string> = { and: '且', or: '或' }
const other: Record<Joint, Joint> = { and: 'or', or: 'and' }

interface JointButtonProps {
  joint: Joint
  /** What it joins, for those who cannot see its place. */
  scope: string
  onChange: (joint: Joint) => void
}

function JointButton({ joint, scope, onChange }: JointButtonProps) {
  return (
    <button
      type="button"
      className={`plain-button scene-joint line-20 link relative container-fill bold small scene-joint-${joint}`}
      aria-label={t('{scope}：{joint}，点击改为{other}', {
        scope,
        joint: t(words[joint]),
        other: t(words[other[joint]]),
      })}
      title={t('点击改为“{other}”', { other: t(words[other[joint]]) })}
      onClick={() => onChange(other[joint])}
    >
      {t(words[joint])}
    </button>
  )
}

interface ConditionListProps {
  list: readonly ConditionItem[]
  /** Key of the group; undefined: the whole. */
  parent: string | undefined
  depth: number
}

/** look.md "Rules as sentences": one rail with its word; relations that differ stand between the rows instead. */
function ConditionList({ list, parent, depth }: ConditionListProps) {
  const edit = useConditionEdit()
  const joint = jointOf(list)
  const editList = (change: (own: readonly ConditionItem[]) => ConditionItem[]) =>
    edit((all) =>
      parent === undefined ? change(all) : changeItem(all, parent, (item) => ({ ...item, terms: change(item.terms) })),
    )
  const single = list.length < 2
  return (
    <div className={single || !joint ? 'cond-list' : 'cond-list cond-list-railed gap-8 grid'}>
      {!single && joint && (
        <div className={`cond-rail relative row cond-rail-${joint}`}>
          <JointButton
            joint={joint}
            scope={t('条件之间')}
            onChange={(next) => editList((own) => setJoint(own, next))}
          />
        </div>
      )}
      <div className="cond-items shrink">
        {list.map((item, index) => (
          <Fragment key={item.key}>
            {!joint && index > 0 && (
              <JointButton
                joint={list[index - 1]?.part.netCondition ?? 'and'}
                scope={t('第 {first} 与第 {second} 个条件之间', { first: index, second: index + 1 })}
                onChange={(next) => editList((own) => setJointAt(own, index - 1, next))}
              />
            )}
            <ConditionNode item={item} depth={depth} first={index === 0} last={index === list.length - 1} />
          </Fragment>
        ))}
        {!joint && <span className="meta">{t('且、或混用时从上到下依次判断；需要先后时请用条件组。')}</span>}
      </div>
    </div>
  )
}

interface ConditionNodeProps {
  item: ConditionItem
  depth: number
  first: boolean
  last: boolean
}

function ConditionNode({ item, depth, first, last }: ConditionNodeProps) {
  const edit = useConditionEdit()
  const row = <ConditionRow item={item} inGroup={depth > 0} first={first} last={last} />
  if (item.part.columnType !== 'group' && item.terms.length === 0) return row
  const childJoint = item.part.childrenCondition ?? 'and'
  return (
    <div className="cond-group head-fill pad-8 round-8" id={itemAnchor(item.key)}>
      {item.part.columnType !== 'group' && (
        <>
          {row}
          <JointButton
            joint={childJoint}
            scope={t('与下面的条件')}
            onChange={(childrenCondition) =>
              edit((all) => changeItem(all, item.key, (one) => ({ ...one, part: { ...one.part, childrenCondition } })))
            }
          />
        </>
      )}
      <ConditionList list={item.terms} parent={item.key} depth={depth + 1} />
      <GroupFoot item={item} depth={depth} />
    </div>
  )
}

function GroupFoot({ item, depth }: Pick<ConditionNodeProps, 'item' | 'depth'>) {
  const { draft } = useEditor()
  const edit = useConditionEdit()
  const fresh = () => newCondition('property', triggerProducts(draft)[0] ?? '')
  const add = (made: ConditionItem) =>
    edit((all) => changeItem(all, item.key, (one) => ({ ...one, terms: append(one.terms, made) })))
  return (
    <div className="above-4 inline-row quiet">
      <Button
        type="text"
        size="small"
        icon={<PlusOutlined />}
        disabled={!hasRoom(draft.conditions)}
        onClick={() => add(fresh())}
      >
        {t('条件')}
      </Button>
      {depth + 1 < sceneLimits.conditionDepth && (
        <Button
          type="text"
          size="small"
          icon={<PlusOutlined />}
          disabled={!hasRoom(draft.conditions, 3)}
          onClick={() => add(groupItem([fresh(), fresh()], 'and'))}
        >
          {t('条件组')}
        </Button>
      )}
      <Button type="text" size="small" onClick={() => edit((all) => removeItem(all, item.key))}>
        {t('删除整组')}
      </Button>
    </div>
  )
}
