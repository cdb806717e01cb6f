export { diagnoseEndpoint, isEndpointUrl } from './diagnose-endpoint.ts';
export { diagnosePage, type PageCheck, type PageDiagnosis } from './diagnose-page.ts';
export {
  describeMisspelledAttributes,
  describeSuspectedContent,
  describeUnclosedElement,
} from './mistakes.ts';
export type {
  Concealment,
  ElementState,
  EndpointResult,
  FormElement,
  FormScript,
  InactivePlace,
  PageFacts,
  PolicyViolation,
  RequestResult,
} from './page-facts.ts';
export { type Cause, describeRecipient, type Problem, writeSupportRequest } from './problem.ts';
export {
  createInsecurePageProblem,
  createInvalidEndpointProblem,
  createMixedContentProblem,
  createNoResponseProblem,
  createNotAnEndpointProblem,
  createOfflineProblem,
  createPolicyProblem,
  createScriptFailedProblem,
} from './problems.ts';
export {
  extractMainScript,
  getEmbeddedFormId,
  identifyBundler,
  isBundleOfForm,
  isFormScript,
  isMainScriptUrl,
  readScriptTag,
  registersForm,
  resolveScriptEndpoint,
} from './script-tag.ts';
