/** What is said about functions of the model, by their type: whole sentences, since the words around a name differ. */
import { FunctionType } from '@ithings/contract/thing-model/model.ts'

type Words = Readonly<Record<FunctionType, string>>

export const addWords: Words = {
  [FunctionType.property]: '新增属性',
  [FunctionType.event]: '新增事件',
  [FunctionType.action]: '新增行为',
}
export const editWords: Words = {
  [FunctionType.property]: '编辑属性',
  [FunctionType.event]: '编辑事件',
  [FunctionType.action]: '编辑行为',
}
export const deleteWords: Words = {
  [FunctionType.property]: '删除属性',
  [FunctionType.event]: '删除事件',
  [FunctionType.action]: '删除行为',
}
export const deleteQuestions: Words = {
  [FunctionType.property]: '删除属性「{name}」？',
  [FunctionType.event]: '删除事件「{name}」？',
  [FunctionType.action]: '删除行为「{name}」？',
}
export const emptyWords: Words = {
  [FunctionType.property]: '还没有属性',
  [FunctionType.event]: '还没有事件',
  [FunctionType.action]: '还没有行为',
}
