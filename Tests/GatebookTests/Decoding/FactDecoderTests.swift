import Gatebook
import Testing

@Suite struct FactDecoderTests {
  private func decode<Value: Decodable>(
    _ json: String, _ type: Value.Type = Value.self
  ) throws
    -> Value
  {
    try Value(from: FactDecoder(try #require(JSONDocument.read(Array(json.utf8)))))
  }

  private func place<Value: Decodable>(_ json: String, _ type: Value.Type) -> String {
    do {
      _ = try decode(json, type)
      return "decoded"
    } catch DecodingError.typeMismatch(_, let context) {
      return "mismatch at " + context.codingPath.map(\.stringValue).joined(separator: ".")
    } catch DecodingError.valueNotFound(_, let context) {
      return "nothing at " + context.codingPath.map(\.stringValue).joined(separator: ".")
    } catch DecodingError.keyNotFound(let key, let context) {
      return "missing "
        + (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
    } catch DecodingError.dataCorrupted(let context) {
      return "corrupted at " + context.codingPath.map(\.stringValue).joined(separator: ".")
    } catch {
      return "\(error)"
    }
  }

  private struct Line: Decodable, Equatable {
    var id: Int
    var name: String?
    var ratio: Double
    var isOpen: Bool
    var tags: [String]
    var extra: [String: Int]?
    var inner: [[Line]]?
  }

  @Test func `a nested type is decoded whole`() throws {
    let json = """
      {"id":7,"name":null,"ratio":0.25,"isOpen":true,"tags":["a","b"],"extra":{"x":1},
      "inner":[[{"id":8,"ratio":-1e3,"isOpen":false,"tags":[]}],[]],"unknown":{}}
      """
    let inner = Line(id: 8, ratio: -1000, isOpen: false, tags: [])
    #expect(
      try decode(json)
        == Line(
          id: 7, ratio: 0.25, isOpen: true, tags: ["a", "b"], extra: ["x": 1], inner: [[inner], []])
    )
  }

  @Test func `single values and lists of each width are decoded`() throws {
    #expect(try decode("[1,-2]", [Int].self) == [1, -2])
    #expect(try decode("[127,-128]", [Int8].self) == [127, -128])
    #expect(try decode("[32767]", [Int16].self) == [32767])
    #expect(try decode("[2147483647]", [Int32].self) == [2_147_483_647])
    #expect(try decode("[-9223372036854775808]", [Int64].self) == [.min])
    #expect(try decode("[0]", [UInt].self) == [0])
    #expect(try decode("[255]", [UInt8].self) == [255])
    #expect(try decode("[65535]", [UInt16].self) == [65535])
    #expect(try decode("[4294967295]", [UInt32].self) == [4_294_967_295])
    #expect(try decode("18446744073709551615", UInt64.self) == .max)
    #expect(try decode("[1.0,12e2,-0.0]", [Int].self) == [1, 1200, 0])
    #expect(try decode("[0.1,1e-3,5,-2.5E+2]", [Double].self) == [0.1, 0.001, 5, -250])
    #expect(try decode("[0.1,3]", [Float].self) == [0.1, 3])
    #expect(try decode("[true,null]", [Bool?].self) == [true, nil])
    #expect(try decode("\"a\"", String.self) == "a")
    #expect(try decode("null", Int?.self) == nil)
    #expect(try decode(#"{"b":1,"a":2}"#, [String: UInt8].self) == ["a": 2, "b": 1])
  }

  @Test(arguments: [
    ("128", "Int8"), ("-1", "UInt"), ("256", "UInt8"), ("9223372036854775808", "Int"),
    ("1.5", "Int"), ("18446744073709551616", "UInt64"), ("1e999", "Double"), ("1e39", "Float"),
    ("9007199254740993.5", "Int"),
  ])
  func `a number that does not fit is an error, never cut`(_ row: (json: String, type: String)) {
    let place =
      switch row.type {
      case "Int8": place(row.json, Int8.self)
      case "UInt": place(row.json, UInt.self)
      case "UInt8": place(row.json, UInt8.self)
      case "UInt64": place(row.json, UInt64.self)
      case "Double": place(row.json, Double.self)
      case "Float": place(row.json, Float.self)
      default: place(row.json, Int.self)
      }
    #expect(place == "corrupted at ")
  }

  @Test func `an error names its place`() {
    let good = #""ratio":1,"isOpen":true,"tags":[]"#
    let rows = [
      ("[]", "mismatch at "), ("{}", "missing id"), ("null", "nothing at "),
      (#"{"id":"7",\#(good)}"#, "mismatch at id"), (#"{"id":null,\#(good)}"#, "nothing at id"),
      (#"{"id":true,\#(good)}"#, "mismatch at id"),
      (#"{"id":1,"ratio":"nan","isOpen":true,"tags":[]}"#, "mismatch at ratio"),
      (#"{"id":1,"ratio":1,"isOpen":1,"tags":[]}"#, "mismatch at isOpen"),
      (#"{"id":1,"ratio":1,"isOpen":true,"tags":["a",1]}"#, "mismatch at tags.1"),
      (#"{"id":1,\#(good),"extra":{"x":1.5}}"#, "corrupted at extra.x"),
      (#"{"id":1,\#(good),"inner":[[],[{}]]}"#, "missing inner.1.0.id"),
      (#"{"id":1,\#(good),"inner":{}}"#, "mismatch at inner"),
    ]
    for (json, expected) in rows { #expect(place(json, Line.self) == expected, "\(json)") }
  }

  private class Base: Decodable {
    var id: Int
  }

  private final class Derived: Base {
    var name: String
    var rest: [Int] = []

    private enum CodingKeys: CodingKey { case name, parent, rest }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      var list = try container.nestedUnkeyedContainer(forKey: .rest)
      while !list.isAtEnd {
        if try list.decodeNil() { continue }
        if var inner = try? list.nestedUnkeyedContainer() {
          while !inner.isAtEnd { rest.append(try inner.decode(Int.self)) }
        } else {
          rest.append(try list.decode(Int.self))
        }
      }
      let isNamed = container.contains(.parent)
      try super.init(
        from: isNamed ? container.superDecoder(forKey: .parent) : container.superDecoder())
    }
  }

  @Test func `superclasses and hand-made containers are decoded`() throws {
    let derived = try decode(
      #"{"name":"a","rest":[1,null,[2,3],4],"super":{"id":7}}"#, Derived.self)
    #expect(derived.id == 7)
    #expect(derived.name == "a")
    #expect(derived.rest == [1, 2, 3, 4])
    let other = try decode(#"{"name":"a","rest":[],"parent":{"id":8}}"#, Derived.self)
    #expect(other.id == 8)
    #expect(place(#"{"name":"a","rest":[]}"#, Derived.self) == "nothing at super")
    #expect(place(#"{"name":"a","rest":[[1,"x"]]}"#, Derived.self) == "mismatch at rest.0.1")
  }

  @Test func `a list that ends too early says where`() {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        _ = try list.decode(Int.self)
        _ = try list.decode(Int.self)
      }
    }
    #expect(place("[1]", Pair.self) == "nothing at 1")
    #expect(place("[1,2,3]", Pair.self) == "decoded")
  }
}
