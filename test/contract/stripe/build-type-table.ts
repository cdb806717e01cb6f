import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Operation, TypeNode, TypeTable } from './type-table.ts';

/** Type declarations of Stripe's library, which import those of all resources. */
const ENTRY_FILE = 'node_modules/stripe/esm/stripe.esm.node.d.ts';
const RESOURCE_FILE = /\/stripe\/esm\/resources\/.*\.d\.ts$/;

type Endpoint = Pick<Operation, 'method' | 'path'>;

/**
 * Builds the table from the type declarations of the installed `stripe` package, and from the
 * scripts next to them, which contain the methods and paths. Stripe generates both from its OpenAPI
 * description.
 */
export function buildTypeTable(): TypeTable {
  const program = ts.createProgram([ENTRY_FILE], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const writer = new TypeWriter(checker);
  const files = program.getSourceFiles().filter(({ fileName }) => RESOURCE_FILE.test(fileName));
  const interfaces = files
    .flatMap((file) => file.statements.filter((statement) => ts.isInterfaceDeclaration(statement)))
    .map((declaration) => checker.getTypeAtLocation(declaration));
  const operations = files.flatMap((file) => listOperations(file, checker, writer));
  const events: Record<string, number> = {};
  for (const type of interfaces.filter(({ symbol }) => symbol.name.endsWith('Event'))) {
    const eventType = getFieldType(checker, type, 'type');
    if (eventType?.isStringLiteral()) events[eventType.value] = writer.addType(type);
  }
  const intent = interfaces.find(({ symbol }) => symbol.name === 'PaymentIntent')!;
  // The OpenAPI description has one schema for this error and for that of a response.
  const error = checker.getNonNullableType(getFieldType(checker, intent, 'last_payment_error')!);
  return { operations, events, error: writer.addType(error), types: writer.nodes };
}

/** Lists the operations of a file's classes, such as `PaymentIntentResource`. */
function listOperations(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  writer: TypeWriter,
): Operation[] {
  const endpoints = readEndpoints(file.fileName.replace(/\.d\.ts$/, '.js'));
  return listMethods(file).flatMap(({ name, method }) => {
    const endpoint = endpoints.get(name);
    if (!endpoint) return [];
    const params = method.parameters.find(
      ({ name: parameter }) => ts.isIdentifier(parameter) && parameter.text === 'params',
    );
    return {
      ...endpoint,
      ...(params && {
        params: writer.addType(checker.getNonNullableType(checker.getTypeAtLocation(params))),
      }),
      result: writer.addType(checker.getAwaitedType(checker.getTypeAtLocation(method.type!))!),
    };
  });
}

/** Reads the endpoint of each method, such as `PaymentIntentResource.list`, from a script. */
function readEndpoints(file: string): Map<string, Endpoint> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const endpoints = new Map<string, Endpoint>();
  for (const { name, method } of listMethods(source)) {
    const endpoint = findEndpoint(method);
    if (endpoint?.path.startsWith('/v1/')) endpoints.set(name, endpoint);
  }
  return endpoints;
}

function listMethods(
  file: ts.SourceFile,
): { readonly name: string; readonly method: ts.MethodDeclaration }[] {
  return file.statements.filter(ts.isClassDeclaration).flatMap((declaration) =>
    declaration.members.filter(ts.isMethodDeclaration).map((method) => ({
      name: `${declaration.name!.text}.${(method.name as ts.Identifier).text}`,
      method,
    })),
  );
}

/** Finds the call `_makeRequest('GET', '/v1/…')` in a method. */
function findEndpoint(node: ts.Node): Endpoint | undefined {
  if (ts.isCallExpression(node)) {
    const [method, path] = node.arguments;
    if (method && path && ts.isStringLiteral(method))
      return { method: method.text, path: readPath(path) };
  }
  return ts.forEachChild(node, findEndpoint);
}

function readPath(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

function getFieldType(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type | undefined {
  const field = type.getProperty(name);
  return field && checker.getTypeOfSymbol(field);
}

/** Converts types to nodes, each type once. */
class TypeWriter {
  readonly nodes: TypeNode[] = [];
  readonly #checker: ts.TypeChecker;
  readonly #indexes = new Map<ts.Type, number>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  /** Returns the type's index. */
  addType(type: ts.Type): number {
    const known = this.#indexes.get(type);
    if (known !== undefined) return known;
    const index = this.nodes.push('any') - 1;
    // Before the conversion, because types refer to themselves.
    this.#indexes.set(type, index);
    this.nodes[index] = this.#convertType(type);
    return index;
  }

  #convertType(type: ts.Type): TypeNode {
    if (type.isUnion()) return { union: listAlternatives(type).map((part) => this.addType(part)) };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { literal: type.value };
    const text = this.#checker.typeToString(type);
    if (text === 'true' || text === 'false') return { literal: text === 'true' };
    if (text === 'number' || text === 'boolean' || text === 'null') return text;
    // On the wire, a decimal is a string.
    if (text === 'string' || text === 'Decimal' || isOtherString(type)) return 'string';
    if (this.#checker.isArrayType(type))
      return { array: this.addType(this.#checker.getTypeArguments(type as ts.TypeReference)[0]!) };
    return type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)
      ? this.#convertObject(type)
      : 'any';
  }

  #convertObject(type: ts.Type): TypeNode {
    const index = type.getStringIndexType();
    const fields = type
      .getProperties()
      // Added by the library to each result.
      .filter(({ name }) => name !== 'lastResponse')
      .map((field) => {
        const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
        const fieldType = this.#checker.getTypeOfSymbol(field);
        return [field.name + (isOptional ? '?' : ''), this.addType(fieldType)] as const;
      });
    return { fields: Object.fromEntries(fields), ...(index && { index: this.addType(index) }) };
  }
}

/** Lists the alternatives of a type. An open enumeration counts as a closed one. */
function listAlternatives({ types }: ts.UnionType): readonly ts.Type[] {
  return types.filter(
    (type) => !isOtherString(type) && (type.flags & ts.TypeFlags.Undefined) === 0,
  );
}

/** Returns true for Stripe's type of values that a later version may add to an enumeration. */
const isOtherString = (type: ts.Type): boolean =>
  type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
