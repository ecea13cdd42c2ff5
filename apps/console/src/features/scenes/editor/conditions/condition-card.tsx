import { PlusOutlined } from '@ant-design/icons'
import { sceneLimits } from '@ithings/contract/rules/scene-parts.ts'
import { Button } from 'antd'
import { triggerProducts, useConditionEdit, useEditor } from '../editor-context.ts'
import { append, groupItem, hasRoom } from '../logic/condition-tree.ts'
import { newCondition } from '../logic/edit-condition.ts'
import { BlockCard } from '../parts/block-card.tsx'
import { FieldNotes } from '../parts/field.tsx'
import { ConditionList } from './condition-list.tsx'

export function ConditionCard() {
  const { draft } = useEditor()
  const edit = useConditionEdit()
  const { conditions } = draft
  const product = triggerProducts(draft)[0] ?? ''
  const fresh = () => newCondition('property', product)
  return (
    <BlockCard
      part="condition"
      badge="且"
      word="AND"
      title="条件"
      hint={conditions.length > 0 ? `最多嵌套 ${sceneLimits.conditionDepth} 层` : '可选'}
      extra={
        <>
          <Button
            type="text"
            icon={<PlusOutlined />}
            disabled={!hasRoom(conditions)}
            onClick={() => edit((list) => append(list, fresh()))}
          >
            添加条件
          </Button>
          <Button
            type="text"
            icon={<PlusOutlined />}
            disabled={!hasRoom(conditions, 3)}
            onClick={() => edit((list) => append(list, groupItem([fresh(), fresh()], 'or')))}
          >
            添加条件组
          </Button>
        </>
      }
    >
      {conditions.length === 0 ? (
        <p className="scene-empty">没有条件：一触发就执行动作。</p>
      ) : (
        <ConditionList list={conditions} parent={undefined} depth={0} />
      )}
      <FieldNotes item="condition" fields={['']} />
    </BlockCard>
  )
}
