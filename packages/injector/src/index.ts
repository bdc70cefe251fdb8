export {
  type Injection,
  type Injector,
  type InjectorInput,
  injector,
  type SkillContext,
} from "./injector.js";
export type { InjectorOptions, OverviewFormat } from "./injector-options.js";
