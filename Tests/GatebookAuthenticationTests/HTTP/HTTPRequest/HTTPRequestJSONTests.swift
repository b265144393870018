import GatebookAuthentication
import GatebookEvents
import Testing

@Suite struct HTTPRequestJSONTests {
  private func text(_ request: HTTPRequest) -> String {
    String(decoding: request.body, as: UTF8.self)
  }

  @Test func `a body is the object, with its type`() throws {
    let url = try #require(HTTPURL("https://files.example/items"))
    let request = HTTPRequest.post(
      url, json: ["name": "a \"lamp\"\n", "count": 3, "tags": .list(["a", .null])])
    #expect(request.method == "POST")
    #expect(request.url == url)
    #expect(text(request) == #"{"count":3,"name":"a \"lamp\"\n","tags":["a",null]}"#)
    #expect(request.fields == [HTTPField("Content-Type", "application/json")])
    #expect(!request.isRepeatable)
  }

  @Test func `a type that is given stays, and other fields do too`() throws {
    let url = try #require(HTTPURL("https://files.example/items/1"))
    let fields = [
      HTTPField("content-type", "application/merge-patch+json"), HTTPField("If-Match", "\"a\""),
    ]
    let request = HTTPRequest(
      "PATCH", url, fields: fields, json: ["name": "lamp"], isRepeatable: true)
    #expect(request.fields == fields)
    #expect(request.isRepeatable)
    #expect(text(request) == #"{"name":"lamp"}"#)
    #expect(text(HTTPRequest("PUT", url, json: [:])) == "{}")
  }
}
