import { createSchema, deleteSchema, type SchemaItem, updateSchema } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { FunctionTag } from '@ithings/contract/thing-model/affordance.ts'
import type { FunctionType } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Skeleton } from 'antd'
import { useState } from 'react'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { FunctionDrawer } from './editor/function-drawer.tsx'
import type { FunctionTask } from './editor/use-function-form.ts'
import { FunctionList } from './function-list.tsx'
import { deleteQuestions } from './function-words.ts'
import { ImportDrawer } from './import-drawer.tsx'
import './editor/editor.css'
import './model.css'
import './versions.css'
import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { useCopy } from '#kit/copyable.tsx'
import { downloadText } from '#kit/download.ts'
import { JsonView } from '#kit/json-view.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import type { ModelPanel } from './model-toolbar.tsx'
import { dropFunction, tslQuery, useModelChanged, wholeModelQuery } from './queries.ts'
import { useReferenceCheck } from './references.tsx'
import { VersionsDrawer } from './versions-drawer.tsx'

/** The whole model as one document; its file is called tsl.json (spec 3). */
function JsonDrawer({ productID, open, onClose }: { productID: string; open: boolean; onClose: () => void }) {
  const [, copy] = useCopy()
  const tsl = useQuery({ ...tslQuery(productID), enabled: open })
  const text = tsl.data?.tsl
  return (
    <SideDrawer
      title={t('物模型 JSON')}
      open={open}
      onClose={onClose}
      width={720}
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra meta">{t('其他产品可用「导入物模型」读入这个文件')}</span>
          <Button icon={<CopyOutlined />} disabled={!text} onClick={() => text && copy(text)}>
            {t('复制')}
          </Button>
          <Button
            type="primary"
            icon={<DownloadOutlined />}
            disabled={!text}
            onClick={() => text && downloadText(text, 'tsl.json')}
          >
            {t('下载')}
          </Button>
        </div>
      }
    >
      {tsl.isPending && <Skeleton active paragraph={{ rows: 12 }} title={false} />}
      {tsl.isError && !text && <QueryError subject={t('物模型')} query={tsl} />}
      {text && <JsonView value={text} openLevels={3} maxHeight={10_000} />}
    </SideDrawer>
  )
}

/** How many of each type, and of all under ''. */
function countTypes(list: readonly SchemaItem[]): Record<string, number> {
  const counts: Record<string, number> = { '': list.length, 1: 0, 2: 0, 3: 0 }
  for (const { type } of list) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** screens.md 4.2: the thing model of a product. */
export function ModelTab({ productID }: { productID: string }) {
  const { message } = App.useApp()
  const changed = useModelChanged(productID)
  const askReferences = useReferenceCheck(productID)
  const [task, setTask] = useState<FunctionTask>()
  const [panel, setPanel] = useState<ModelPanel>()
  const whole = useQuery(wholeModelQuery(productID)).data
  const counts = useMemo(() => whole && countTypes(whole.list), [whole])
  const taken = useMemo(() => new Map(whole?.list.map((item) => [item.identifier, item.name])), [whole])

  const remove = async (item: SchemaItem) => {
    const agreed = await askReferences({
      identifier: item.identifier,
      title: t(deleteQuestions[item.type as FunctionType], { name: item.name }),
      consequence: t('设备消息里的 {identifier} 将不再被识别，已存的数据不再显示。定义可以从「版本」恢复。', {
        identifier: item.identifier,
      }),
      okText: t('删除'),
    })
    if (!agreed) return
    try {
      await dropFunction(item)
      void message.success(t('删除成功'))
      setTask(undefined)
    } catch (error) {
      void message.error(describeError(error).reason)
    }
    await changed()
  }

  const actionsOf = (item: SchemaItem): RowAction[] => [
    { key: 'edit', label: t('编辑'), needs: updateSchema, onClick: () => setTask({ kind: 'edit', item }) },
    { key: 'copy', label: t('复制'), needs: createSchema, onClick: () => setTask({ kind: 'copy', item }) },
    ...(item.tag === FunctionTag.required
      ? []
      : [{ key: 'delete', label: t('删除'), needs: deleteSchema, danger: true, onClick: () => void remove(item) }]),
  ]

  const closePanel = () => setPanel(undefined)
  return (
    <>
      <FunctionList
        productID={productID}
        counts={counts}
        rowActions={actionsOf}
        onEdit={(item) => setTask({ kind: 'edit', item })}
        onCreate={(type) => setTask({ kind: 'create', type })}
        onPanel={setPanel}
      />
      <FunctionDrawer
        productID={productID}
        task={task}
        taken={taken}
        onClose={() => setTask(undefined)}
        onDelete={(item) => void remove(item)}
      />
      <ImportDrawer productID={productID} open={panel === 'import'} onClose={closePanel} />
      <JsonDrawer productID={productID} open={panel === 'json'} onClose={closePanel} />
      <VersionsDrawer productID={productID} open={panel === 'versions'} onClose={closePanel} />
    </>
  )
}
